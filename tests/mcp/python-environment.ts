import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './running-server.ts';

const run = promisify(execFile);
/** Kept between runs: making it takes a minute, most of it downloading. */
const folder = join(root, 'node_modules', '.cache', 'trestle-python-mcp');

/** A Python that has the official MCP package, or the reason why there is none. */
export async function pythonWithMcp(): Promise<{ python: string } | { reason: string }> {
  const python = join(folder, 'bin', 'python');
  if (existsSync(python)) return { python };
  try {
    await run('python3', ['-c', 'import venv, ensurepip, sys; sys.exit(sys.version_info < (3, 10))']);
  } catch {
    return { reason: 'Python 3.10 or later with venv is not installed' };
  }
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(join(folder, '..'), { recursive: true });
  try {
    await run('python3', ['-m', 'venv', fresh]);
    await run(join(fresh, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', 'mcp'], { timeout: 180_000 });
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    return { reason: `the package mcp cannot be installed (${String(error).split('\n')[0]})` };
  }
  renameSync(fresh, folder);
  return { python };
}
