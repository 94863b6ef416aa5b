import { z } from 'zod';
import { manifestSchema } from './manifest.ts';

/** A raw Ed25519 public key in base64: 32 bytes. */
const publicKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);
/** An Ed25519 signature in base64: 64 bytes. */
const signature = z.string().regex(/^[A-Za-z0-9+/]{86}==$/);

/** `index.json`. The payload is the index as JSON text, so the app parses exactly the text that was signed. */
export const registryFileSchema = z.strictObject({
  payload: z.string(),
  /** During a key rotation the old and the new key sign, so apps that trust either key accept the index. */
  signatures: z
    .array(z.strictObject({ key: publicKey, signature }))
    .min(1)
    .max(4),
});

export const registryEntrySchema = z.strictObject({
  manifest: manifestSchema,
  /** The first and last driver kit version that runs this driver. */
  kit: z.strictObject({ from: z.number().int(), to: z.number().int() }),
  /** The size of the package in bytes. */
  size: z.number().int().positive(),
  /** A file name next to `index.json`, never a path. */
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
  /** Increases with every index. The app refuses an index that is older than the newest one it has seen. */
  sequence: z.number().int().positive(),
  signedAt: z.iso.datetime(),
  /** From then on, the app installs nothing from this index. Null: never, for a registry on the app's own disk. */
  expiresAt: z.iso.datetime().nullable(),
  /**
   * When the app accepts this index, these keys replace the keys that it trusts. One of these keys must also
   * have signed this index: the app later verifies its stored copy with them.
   */
  keys: z.array(publicKey).min(1).max(4),
  plugins: z.array(registryEntrySchema).max(10_000),
});

export type RegistryFile = z.infer<typeof registryFileSchema>;
export type RegistryEntry = z.infer<typeof registryEntrySchema>;
export type RegistryIndex = z.infer<typeof registryIndexSchema>;

/** The signed bytes of an index. The first line prevents reuse of a signature for another purpose. */
export function indexStatement(payload: string): Uint8Array {
  return new TextEncoder().encode(`trestle registry index 1\n${payload}`);
}

/** The bytes that a publisher signs. They say that the package with this hash is this version of this driver. */
export function packageStatement(id: string, version: string, integrity: string): Uint8Array {
  return new TextEncoder().encode(`trestle driver package 1\n${id}\n${version}\n${integrity}`);
}
