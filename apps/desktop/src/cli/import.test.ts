import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { execute } from './import.ts';

test('Ctrl-C ends the first reading of the file, before anything is sent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-import-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'pets.csv');
  writeFileSync(file, `id,name\n${'1,Laika\n'.repeat(100_000)}`);
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const before = new Set(process.listeners('SIGINT'));
  const running = execute({ args: ['Local', 'Pet', file], dist: folder });
  const [interrupt] = process.listeners('SIGINT').filter((listener) => !before.has(listener));
  onTestFinished(() => void process.off('SIGINT', interrupt!));
  interrupt!('SIGINT');
  expect(await running).toBe(130);
  expect(write.mock.calls).toEqual([['Cancelled. No row was sent.\n']]);
});
