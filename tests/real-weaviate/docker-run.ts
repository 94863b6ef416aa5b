import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { StandInEngine } from './docker-stand-in.ts';

const root = join(import.meta.dirname, '..', '..');

export interface DockerRun {
  /** The home of the user. The engine stores its files there too. */
  folder: string;
  /** Everything that the program has printed so far. */
  output(): string;
  /** Waits until the output matches `words`, and returns it. If the program ends without a match, the test fails. */
  says(words: RegExp): Promise<string>;
  signal(name: NodeJS.Signals): void;
  ended(): Promise<number>;
  containers(): Promise<string[]>;
  docker(...args: string[]): Promise<void>;
  /** Ends the remaining processes and removes the folder. */
  clear(): Promise<void>;
}

/** Runs `npm run weaviate` with an empty cache, so that the command can start only servers in the engine's images. */
export async function runWithDocker(engine: StandInEngine, ...args: string[]): Promise<DockerRun> {
  const folder = await mkdtemp(join(tmpdir(), 'trestle-docker-'));
  await mkdir(join(folder, 'containers'));
  await writeFile(join(folder, 'engine.json'), JSON.stringify(engine));
  const program = join(import.meta.dirname, 'docker-stand-in.ts');
  await writeFile(join(folder, 'docker'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  await chmod(join(folder, 'docker'), 0o755);
  const child = spawn(process.execPath, [join(root, 'scripts/weaviate/main.ts'), ...args], {
    env: {
      PATH: `${folder}:/usr/bin:/bin`,
      HOME: folder,
      TRESTLE_WEAVIATE_CACHE: join(folder, 'empty'),
      STAND_IN_FOLDER: folder,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const closed = once(child, 'close').then(([code]) => code as number);
  let isClosed = false;
  void closed.then(() => (isClosed = true));
  const docker = async (...args: string[]) => {
    await once(spawn(join(folder, 'docker'), args, { env: { STAND_IN_FOLDER: folder } }), 'exit');
  };
  const containers = () => readdir(join(folder, 'containers'));
  return {
    folder,
    output: () => output,
    async says(words) {
      await expect.poll(() => words.test(output) || isClosed).toBe(true);
      expect(output).toMatch(words);
      return output;
    },
    signal: (name) => void child.kill(name),
    ended: () => closed,
    containers,
    docker,
    async clear() {
      child.kill('SIGKILL');
      await closed;
      for (const name of await containers()) await docker('rm', '--force', name);
      await rm(folder, { recursive: true });
    },
  };
}
