import type { SearchSupport } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { questionText, settingsText } from './compared-by.ts';
import { type LabColumn, newColumn } from './comparison.ts';

const support: SearchSupport = {
  modes: [{ mode: 'hybrid' }],
  targetVectors: ['title', 'note'],
  options: { fusions: [{ name: 'ranked', label: 'Ranked' }] },
};

test.each([
  { mode: 'near_vector' },
  { alpha: 0.7 },
  { vector: '[1, 2]' },
  { objectId: 'a' },
  { targetVector: 'note' },
  { filtered: false },
  { fusion: 'ranked' },
] satisfies Partial<LabColumn>[])('%j is a change of settings', (patch) => {
  const column = newColumn('hybrid');
  expect(settingsText({ ...column, ...patch }, support)).not.toBe(settingsText(column, support));
});

test('another text, number of rows, filters or marks make another question, but spaces around the text do not', () => {
  const asked = {
    text: 'moon',
    k: 8,
    within: { table: 'Mission', filters: [], match: 'all' as const },
    right: ['a'],
  };
  const filters = [{ column: 'year', operator: 'equals' as const, value: 1969 }];
  const others = [
    { ...asked, text: 'mars' },
    { ...asked, k: 20 },
    { ...asked, within: { ...asked.within, filters } },
    { ...asked, right: ['a', 'b'] },
  ];
  for (const other of others) expect(questionText(other)).not.toBe(questionText(asked));
  expect(questionText({ ...asked, text: ' moon ' })).toBe(questionText(asked));
});
