import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { version } from './version.ts';

/**
 * Caches the compiled code of later imports, which saves about a quarter of the start time. Each build has its own
 * folder, and folders of other builds are deleted. Hold the instance lock, so that no running app uses a deleted folder.
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
    // For example, the app runs from its sources, or the disk is full. The start only takes longer.
  }
}
