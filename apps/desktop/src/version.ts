import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };

/**
 * The version in the build's description, next to the bundles. Read without the description's schema: every command
 * needs the version, and should not load zod for it.
 */
function packagedVersion(): string | undefined {
  const file = join(import.meta.dirname, 'edition.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}

export const version: string = packagedVersion() ?? manifest.version;
