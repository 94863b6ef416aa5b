import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAdmission } from './admission.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trestle-admission-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a key ends after ten minutes', () => {
  let now = 0;
  const admission = createAdmission(folder, () => now);
  const [early, late] = [admission.createKey(), admission.createKey()];
  now = 10 * 60_000 - 1;
  expect(admission.redeem(early)).not.toBeNull();
  now += 1;
  expect(admission.redeem(late)).toBeNull();
});

test('neither keys nor cookies are on disk', () => {
  const admission = createAdmission(folder);
  const key = admission.createKey();
  const cookie = admission.redeem(key)!;
  const stored = readFileSync(join(folder, 'window-sessions.json'), 'utf8');
  expect(stored).not.toContain(cookie);
  expect(stored).not.toContain(key);
  expect(createAdmission(folder).admits(cookie)).toBe(true);
});

test('a broken file of sessions only means to open the window again', () => {
  writeFileSync(join(folder, 'window-sessions.json'), '{"a":');
  const admission = createAdmission(folder);
  expect(admission.admits('x')).toBe(false);
  expect(admission.admits(admission.redeem(admission.createKey())!)).toBe(true);
});

test('two copies have two cookie names', () => {
  expect(createAdmission(folder).cookieName).toBe(createAdmission(folder).cookieName);
  expect(createAdmission(folder).cookieName).not.toBe(createAdmission(join(folder, 'other')).cookieName);
});
