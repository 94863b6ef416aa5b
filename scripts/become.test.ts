import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';

const prepare = pathToFileURL(join(import.meta.dirname, 'prepare.mjs'));
const program = 'console.log(process.pid); setInterval(() => {}, 1000)';
const launcher = `const { become } = await import(${JSON.stringify(prepare)});
become(process.execPath, ['-e', ${JSON.stringify(program)}]);`;
const launch = [process.execPath, '--input-type=module', '-e', launcher];

let started: number[] = [];
afterEach(() => {
  for (const pid of started.filter(isAlive)) process.kill(pid, 'SIGKILL');
  started = [];
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Resolves once the program runs. Returns the process id of the program as `program`. */
async function start(command: string[]): Promise<{ first: ChildProcess; program: number }> {
  const first = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(first.stdout, 'data');
  started = [Number(first.pid), Number(line)];
  return { first, program: Number(line) };
}

test.each(['SIGTERM', 'SIGHUP'] as const)('%s to the launcher ends the program too', async (signal) => {
  const { first, program } = await start(launch);
  first.kill(signal);
  expect(await once(first, 'exit')).toEqual([1, null]);
  expect(isAlive(program)).toBe(false);
});

test('the program also ends when the shell that started the launcher is killed', async () => {
  const { first, program } = await start(['/bin/sh', '-c', '"$@"; true', 'sh', ...launch]);
  first.kill('SIGKILL');
  await expect.poll(() => isAlive(program)).toBe(false);
});
