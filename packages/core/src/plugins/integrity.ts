import { createHash } from 'node:crypto';

/** Of a package, in the form in which a registry states it. */
export function integrityOf(bytes: Uint8Array): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}
