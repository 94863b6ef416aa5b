import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { execute } from './plugins-check.ts';

test('a signal opens no inspector in the process of the check', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-check-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const flags = join(folder, 'flags.json');
  const writeFlags = `require('node:fs').writeFileSync(${JSON.stringify(flags)}, JSON.stringify(process.execArgv));`;
  writeFileSync(join(folder, 'driver-check.js'), writeFlags);
  writeFileSync(join(folder, 'driver-host.js'), '');
  expect(await execute({ args: [folder], dist: folder })).toBe(0);
  expect(JSON.parse(readFileSync(flags, 'utf8'))).toEqual(['--disable-sigusr1']);
});
