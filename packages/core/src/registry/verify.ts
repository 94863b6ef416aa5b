import { createHash, createPublicKey, verify } from 'node:crypto';
import {
  indexStatement,
  packageStatement,
  type RegistryEntry,
  type RegistryIndex,
  registryFileSchema,
} from '@trestle/driver-kit/registry';
import { AppError } from '../errors.ts';
import { indexSchema } from './index-schema.ts';

/** The index in these bytes. One of the trusted keys must have signed it. */
export function verifyIndex(bytes: Buffer, trusted: readonly string[]): RegistryIndex {
  const foreign = foreignSigner(bytes, trusted);
  if (foreign === null) return parseIndex(parseFile(bytes).payload);
  throw refused(
    `The index of the registry is signed by another key (${fingerprint(foreign)})`,
    'Trestle keeps the drivers that are installed. If this is Trestle’s own registry, update Trestle. Otherwise ask the registry’s owner for the new key, compare it, and confirm it in Settings → Plugins or with `trestle plugins trust`.',
  );
}

/** A key that signed the index and is not trusted. Null if a trusted key signed it. Throws if no signature is valid. */
export function foreignSigner(bytes: Buffer, trusted: readonly string[]): string | null {
  const { payload, signatures } = parseFile(bytes);
  const statement = indexStatement(payload);
  const signed = signatures.filter(({ key, signature }) => isSigned(statement, key, signature));
  if (signed.length === 0) throw refused('The signature of the registry’s index is wrong');
  return signed.some(({ key }) => trusted.includes(key)) ? null : signed[0]!.key;
}

export function verifyPackage({ manifest, integrity, publisher, signature }: RegistryEntry): boolean {
  return isSigned(packageStatement(manifest.id, manifest.version, integrity), publisher.key, signature);
}

/** A key as people can compare it: eight groups of four characters. */
export function fingerprint(key: string): string {
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32);
  return digest.match(/.{4}/g)!.join(' ');
}

function parseFile(bytes: Buffer) {
  const parsed = registryFileSchema.safeParse(jsonOf(bytes.toString('utf8')));
  if (!parsed.success) throw refused('The registry’s index.json is not an index of Trestle drivers');
  return parsed.data;
}

function parseIndex(payload: string): RegistryIndex {
  const parsed = indexSchema.safeParse(jsonOf(payload));
  if (parsed.success) return parsed.data;
  throw refused(
    'The registry’s index has a form that this version of Trestle does not know',
    'Update Trestle.',
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isSigned(statement: Uint8Array, key: string, signature: string): boolean {
  try {
    const x = Buffer.from(key, 'base64').toString('base64url');
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, statement, publicKey, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

function refused(message: string, hint?: string): AppError {
  return new AppError({ code: 'refused', message, ...(hint !== undefined && { hint }) });
}
