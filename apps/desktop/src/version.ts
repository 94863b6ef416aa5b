import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };

/** The description is next to the bundles. Read without its schema, since every command prints or sends it. */
function packagedVersion(): string | undefined {
  const file = join(import.meta.dirname, 'edition.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}

export const version: string = packagedVersion() ?? manifest.version;
