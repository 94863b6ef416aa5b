import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const release = '2.3.0';

/**
 * The Python of a virtual environment with the official SDK. The environment is made once, outside the repository, so
 * that every clone uses the same one. Undefined if it cannot be made, for example without Python.
 */
export function pythonWithSdk(): string | undefined {
  const folder = join(homedir(), '.cache', 'trestle', `python-mcp-${release}`);
  if (hasSdk(pythonIn(folder))) return pythonIn(folder);
  // The environment is made in a temporary folder and then moved, since two test files may make it at the same time.
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(dirname(folder), { recursive: true });
  try {
    if (!['python3', 'python'].some((command) => makeEnvironment(command, fresh))) return undefined;
    if (!hasSdk(pythonIn(folder))) {
      rmSync(folder, { recursive: true, force: true });
      renameSync(fresh, folder);
    }
    return pythonIn(folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function makeEnvironment(command: string, folder: string): boolean {
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `mcp==${release}`];
  return (
    spawnSync(command, ['-m', 'venv', folder]).status === 0 &&
    spawnSync(pythonIn(folder), install, { timeout: 300_000 }).status === 0 &&
    hasSdk(pythonIn(folder))
  );
}

function pythonIn(folder: string): string {
  return join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
}

function hasSdk(python: string): boolean {
  return existsSync(python) && spawnSync(python, ['-c', 'import mcp, httpx2']).status === 0;
}
