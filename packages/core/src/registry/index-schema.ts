import type { Manifest } from '@trestle/driver-kit';
import { kitVersion } from '@trestle/driver-kit/manifest';
import { type RegistryEntry, registryEntrySchema, registryIndexSchema } from '@trestle/driver-kit/registry';
import { z } from 'zod';
import type { Platform } from '../types.ts';

/**
 * An entry of a driver that needs a later kit. A later kit may change the form of manifests, so this schema reads only
 * the fields of the manifest that the list of drivers needs. Otherwise one new driver would make the index unreadable
 * for older apps. The list says why the driver cannot be installed.
 */
const laterKitEntry = z
  .object({
    ...registryEntrySchema.shape,
    kit: z.object({ from: z.number().int().gt(kitVersion), to: z.number().int() }),
    manifest: z.object({
      id: z.string().regex(/^[a-z][a-z0-9-]*$/),
      name: z.string().min(1),
      summary: z.string(),
      version: z.string().min(1).max(100),
      // A later kit may have other platforms too.
      platforms: z.array(z.string()).transform((all) => all.filter(isPlatform)),
    }),
  })
  .transform((entry): RegistryEntry => ({ ...entry, manifest: { ...unknownManifest, ...entry.manifest } }));

function isPlatform(name: string): name is Platform {
  return name === 'desktop' || name === 'mobile';
}

/** Placeholders for the fields that `laterKitEntry` does not read. An entry for a later kit is never installed. */
const unknownManifest = {
  kit: kitVersion + 1,
  entry: 'unknown.js',
  concurrency: 'parallel',
  process: { network: false, sqlite: false },
  terms: { table: ['table', 'tables'], row: ['row', 'rows'] },
  fields: [],
  address: '',
  editor: { language: 'none', placeholder: '' },
  operators: [],
} satisfies Partial<Manifest>;

/** The registry's index as this app reads it. */
export const indexSchema = registryIndexSchema.extend({
  plugins: z.array(z.union([registryEntrySchema, laterKitEntry])).max(10_000),
});
