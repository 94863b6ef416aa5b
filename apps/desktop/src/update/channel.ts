import { z } from 'zod';

/** The signed payload of `channel.json`, next to the registry's index: the newest version and its packages. */
export const channelSchema = z.strictObject({
  format: z.literal(1),
  version: z.string().regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/),
  commit: z.string(),
  date: z.iso.date(),
  /** Increases with every channel file. `trestle update` refuses one that is older than the newest it has read. */
  sequence: z.int().positive(),
  signedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** For the user, in Markdown. */
  changes: z.string().max(50_000),
  packages: z
    .array(
      z.strictObject({
        /** The name of a file, never a path. The file is beside the registry's folder, not in it. */
        name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._~+-]*$/),
        size: z.int().positive(),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(100),
});

export type Channel = z.infer<typeof channelSchema>;

/** The signed bytes. The first line prevents reuse of a signature for another purpose. */
export function channelStatement(payload: string): Uint8Array {
  return new TextEncoder().encode(`trestle channel 1\n${payload}`);
}
