import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { savePackage } from './update.ts';

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-update-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'trestle.tgz');
}

test('a package that cannot be written completely leaves no file', () => {
  const path = place();
  // Node reads `byteLength` after it has created the file. The write then fails, as on a full disk.
  const broken = Object.defineProperty(new Uint8Array(1), 'byteLength', {
    get() {
      throw new Error('ENOSPC');
    },
  });
  expect(() => savePackage(path, broken)).toThrow('ENOSPC');
  expect(existsSync(path)).toBe(false);
});

test('a file that exists already is not overwritten', () => {
  const path = place();
  writeFileSync(path, 'mine');
  expect(() => savePackage(path, new Uint8Array([1]))).toThrow('EEXIST');
  expect(readFileSync(path, 'utf8')).toBe('mine');
});
