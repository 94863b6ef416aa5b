import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { execute } from './plugins-new.ts';

test('a new driver is refused if its path is a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-new-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'mine');
  writeFileSync(file, 'text');
  await expect(execute({ args: [file], dist: folder })).rejects.toThrow(`${file} is not a folder.`);
});
