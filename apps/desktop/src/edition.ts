import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CoreOptions } from '@trestle/core';
import { z } from 'zod';

const editionSchema = z.strictObject({
  platform: z.enum(['desktop', 'mobile']),
  /** Relative to the built app: a registry on disk beside it. */
  registry: z.strictObject({ address: z.string(), keys: z.array(z.string()) }),
});

/** The build's own description: the kind of app, its plugin registry and the keys that it pins. */
export function readEdition(dist: string): Pick<CoreOptions, 'platform' | 'registry' | 'registryOverride'> {
  const file = join(dist, 'edition.json');
  const override = process.env.TRESTLE_REGISTRY;
  const named = override ? { registryOverride: override } : {};
  if (!existsSync(file)) return named;
  const { platform, registry } = editionSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const address = new URL(registry.address, pathToFileURL(`${dist}/`)).href;
  return { platform, registry: { address, keys: registry.keys }, ...named };
}
