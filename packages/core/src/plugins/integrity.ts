import { createHash } from 'node:crypto';

/** The integrity of a package, in the format of the registry. */
export function integrityOf(bytes: Uint8Array): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}
