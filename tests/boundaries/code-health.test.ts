import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** The output of a tool that fails. Empty if the tool succeeds. */
async function complaintsOf(bin: string, ...args: string[]): Promise<string> {
  try {
    await run(process.execPath, [join(root, 'node_modules', bin), ...args], {
      cwd: root,
      maxBuffer: 10_000_000,
    });
    return '';
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}${stderr}`;
  }
}

/** With several threads, each would check the shared types again. That takes 50 % more processor time. */
const oneThread = '--singleThreaded';

test('types are correct everywhere but in the window', { timeout: 120_000 }, async () => {
  expect(await complaintsOf('typescript/bin/tsc', oneThread, '-p', 'tsconfig.json')).toBe('');
});

test('types are correct in the window', { timeout: 120_000 }, async () => {
  expect(await complaintsOf('typescript/bin/tsc', oneThread, '-p', 'apps/ui/tsconfig.json')).toBe('');
});

test('Biome finds nothing to fix', { timeout: 120_000 }, async () => {
  expect(await complaintsOf('@biomejs/biome/bin/biome', 'check', '.')).toBe('');
});

test('ARCHITECTURE.md names each direct dependency in the table of reasons', () => {
  const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const section = architecture.split('## Dependencies')[1] ?? '';
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Record<string, Record<string, string>>>;
  };
  const direct = Object.entries(lock.packages)
    .filter(([path]) => !path.includes('node_modules'))
    .flatMap(([, one]) =>
      Object.keys({ ...one.dependencies, ...one.devDependencies, ...one.optionalDependencies }),
    )
    .filter((name) => !name.startsWith('@trestle/'));
  // Compares whole words, because `starts` contains `tar`.
  const words = new Set(section.split(/[\s,;|]+/));
  const isNamed = (name: string) =>
    words.has(name) ||
    ['node-', '@types/', '@codemirror/'].some((group) => name.startsWith(group) && words.has(`${group}*`));
  expect([...new Set(direct)].filter((name) => !isNamed(name))).toEqual([]);
});
