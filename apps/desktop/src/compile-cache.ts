import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { version } from './version.ts';

/**
 * Caches the compiled code of later imports, which saves a quarter of the start time. Each build has its own folder, and
 * folders of other builds are deleted. So call it only while holding the instance lock.
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
    // The app runs from its sources, the disk is full, or the folder is not writable. The start only takes longer.
  }
}
