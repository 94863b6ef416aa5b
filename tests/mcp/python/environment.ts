import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const release = '2.3.0';

/** A Python with the official SDK in an environment of its own, made once; undefined where there is no Python. */
export function pythonWithSdk(root: string): string | undefined {
  const folder = join(root, 'node_modules', '.cache', `python-mcp-${release}`);
  const python = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  if (existsSync(python) && hasSdk(python)) return python;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  for (const command of ['python3', 'python']) {
    if (spawnSync(command, ['-m', 'venv', folder]).status !== 0) continue;
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `mcp==${release}`];
    if (spawnSync(python, install, { timeout: 300_000 }).status === 0 && hasSdk(python)) return python;
  }
  return undefined;
}

function hasSdk(python: string): boolean {
  return spawnSync(python, ['-c', 'import mcp, httpx2']).status === 0;
}
