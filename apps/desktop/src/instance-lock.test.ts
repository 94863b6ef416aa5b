import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tryInstanceLock } from './instance-lock.ts';

test('the lock has one owner at a time, and can be taken again after a release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const first = tryInstanceLock(folder);
  expect(first).not.toBeNull();
  expect(tryInstanceLock(folder)).toBeNull();
  first!.release();
  const second = tryInstanceLock(folder);
  expect(second).not.toBeNull();
  second!.release();
});

test('a missing folder is an error, not a taken lock', () => {
  expect(() => tryInstanceLock('/nowhere/at/all')).toThrow();
});
