import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './test-core.ts';

/** A killed process cannot store its compiled code at its end. So the program stores it when its imports are loaded. */
const storeCompiledCode = `
  import { flushCompileCache } from 'node:module';
  flushCompileCache();`;

/**
 * Starts a program that imports sources of the core, for a test that kills it. Later starts take less processor time,
 * because the sources are compiled already.
 */
export function startKillableProgram(program: string) {
  return spawn(process.execPath, ['--input-type=module', '-e', `${storeCompiledCode}${program}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: import.meta.dirname,
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, '.cache', 'test-programs') },
  });
}
