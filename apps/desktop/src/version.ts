import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };

/**
 * The version in `edition.json`, which the build writes next to the bundles. Every command needs the version, and should
 * not load zod for it. So this function does not use the schema in edition.ts.
 */
function packagedVersion(): string | undefined {
  const file = join(import.meta.dirname, 'edition.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}

export const version: string = packagedVersion() ?? manifest.version;
