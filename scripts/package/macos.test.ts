import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { takeMacos } from './macos.ts';

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-macos-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a signed zip is taken with its own bytes; a missing one is an error', () => {
  const [signed, out] = [emptyFolder(), emptyFolder()];
  const name = 'Trestle-0.2.0-macos-arm64.zip';
  writeFileSync(join(signed, name), 'signed');
  expect(takeMacos({ version: '0.2.0', out }, 'arm64', signed)).toEqual([name]);
  expect(readFileSync(join(out, name), 'utf8')).toBe('signed');
  expect(() => takeMacos({ version: '0.2.0', out }, 'x64', signed)).toThrow('Trestle-0.2.0-macos-x64.zip');
});
