import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The version in `edition.json`, which the build writes next to the bundles. Undefined outside a package. Every command
 * needs the version and should not load zod for it, so this function checks no schema.
 */
export function packagedVersion(folder: string): string | undefined {
  const file = join(folder, 'edition.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}
