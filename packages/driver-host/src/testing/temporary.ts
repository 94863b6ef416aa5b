import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { scriptDriverDirectory } from './script-options.ts';

/** A new directory, deleted when the test ends. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'trestle-driver-host-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

export async function copyDriver(directory: string): Promise<string> {
  await cp(scriptDriverDirectory, directory, { recursive: true });
  return directory;
}
