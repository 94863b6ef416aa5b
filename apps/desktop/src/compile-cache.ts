import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { version } from './version.ts';

/**
 * Keeps the compiled code of what is imported from here on, which saves a quarter of the start. The caller owns the
 * data directory: one folder a build, and those of other builds go.
 */
export function keepCompiledCode(dataDirectory: string, dist: string): void {
  const folder = join(dataDirectory, 'compile-cache');
  try {
    const builtAt = Math.trunc(statSync(join(dist, 'trestle.js')).mtimeMs).toString(36);
    const build = `${version}-${builtAt}`;
    mkdirSync(join(folder, build), { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) {
      if (name !== build) rmSync(join(folder, name), { recursive: true, force: true });
    }
    enableCompileCache(join(folder, build));
  } catch {
    // A full disk or a folder that cannot be written: the start takes longer, and is no worse.
  }
}
