import { z } from 'zod';
import { manifestSchema } from './manifest.ts';

/** Raw Ed25519 public key, base64: 32 bytes. */
const publicKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);
/** Ed25519 signature, base64: 64 bytes. */
const signature = z.string().regex(/^[A-Za-z0-9+/]{86}==$/);

/** `index.json`. The payload travels as text, so that the signed bytes are exactly the parsed bytes. */
export const registryFileSchema = z.strictObject({
  payload: z.string(),
  /** Two while a key is rolled over: apps that pin either key accept the index. */
  signatures: z
    .array(z.strictObject({ key: publicKey, signature }))
    .min(1)
    .max(4),
});

export const registryEntrySchema = z.strictObject({
  manifest: manifestSchema,
  /** The first and last driver kit that runs this version. */
  kit: z.strictObject({ from: z.number().int(), to: z.number().int() }),
  /** Bytes of the package. */
  size: z.number().int().positive(),
  /** File name beside `index.json`; never a path. */
  tarball: z.string().regex(/^[a-z0-9][A-Za-z0-9.+-]*\.tgz$/),
  integrity: z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/),
  publisher: z.strictObject({ name: z.string().min(1).max(100), key: publicKey }),
  /** The publisher's signature of `packageStatement`. */
  signature,
  /** Changes since the version before, for the user. */
  changes: z.string().max(10_000),
});

export const registryIndexSchema = z.strictObject({
  format: z.literal(1),
  name: z.string().min(1).max(100),
  /** Grows with every index. The app refuses an index older than the newest one it has seen. */
  sequence: z.number().int().positive(),
  /** The keys that sign from now on. The app pins them once a key it trusts has signed this index. */
  keys: z.array(publicKey).min(1).max(4),
  plugins: z.array(registryEntrySchema).max(10_000),
});

export type RegistryFile = z.infer<typeof registryFileSchema>;
export type RegistryEntry = z.infer<typeof registryEntrySchema>;
export type RegistryIndex = z.infer<typeof registryIndexSchema>;

/** The bytes under an index's signature. The first line keeps a signature from serving another purpose. */
export function indexStatement(payload: string): Uint8Array {
  return new TextEncoder().encode(`trestle registry index 1\n${payload}`);
}

/** The bytes under a publisher's signature: these package bytes are this version of this driver. */
export function packageStatement(id: string, version: string, integrity: string): Uint8Array {
  return new TextEncoder().encode(`trestle driver package 1\n${id}\n${version}\n${integrity}`);
}
