import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CoreOptions } from '@trestle/core';
import { z } from 'zod';

/** The kinds of package. A checkout of the sources is not a package. */
const packageKinds = ['npm', 'deb', 'tarball', 'macos', 'windows', 'mcpb'] as const;
export type PackageKind = (typeof packageKinds)[number];

const editionSchema = z.strictObject({
  platform: z.enum(['desktop', 'mobile']),
  package: z.enum(packageKinds).optional(),
  /** The version of the package. Defaults to the version in package.json. */
  version: z.string().optional(),
  /** The commit that the app was built from. */
  commit: z.string().optional(),
  /** The address may be relative to the built app: then the registry is on disk next to the app. */
  registry: z.strictObject({ address: z.string(), keys: z.array(z.string()) }),
});

type Edition = z.infer<typeof editionSchema>;

/** The build's own description. Null if the app is not built. */
export function editionIn(dist: string): Edition | null {
  const file = join(dist, 'edition.json');
  return existsSync(file) ? editionSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}

/** The kind of app, and its plugin registry with the pinned keys, as the core expects them. */
export function readEdition(dist: string): Pick<CoreOptions, 'platform' | 'registry' | 'registryOverride'> {
  const override = process.env.TRESTLE_REGISTRY;
  const named = override ? { registryOverride: override } : {};
  const edition = editionIn(dist);
  if (!edition) return named;
  const { platform, registry } = edition;
  return { platform, registry: { address: registryAddress(dist, edition), keys: registry.keys }, ...named };
}

export function registryAddress(dist: string, { registry }: Edition): string {
  return new URL(registry.address, pathToFileURL(`${dist}/`)).href;
}
