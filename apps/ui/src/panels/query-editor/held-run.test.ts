import { expect, test } from 'vitest';
import { isHeldRun } from './held-run.ts';

const enter = { key: 'Enter', ctrlKey: true, metaKey: false, repeat: true };

test('a held Mod+Enter is not a new run', () => {
  expect(isHeldRun(enter)).toBe(true);
  expect(isHeldRun({ ...enter, ctrlKey: false, metaKey: true })).toBe(true);
});

test('a first Mod+Enter is not a held run, nor is a held Enter without Mod', () => {
  expect(isHeldRun({ ...enter, repeat: false })).toBe(false);
  expect(isHeldRun({ ...enter, ctrlKey: false })).toBe(false);
});
