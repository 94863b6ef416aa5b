import type { Cell, RowSet } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { AnswerBudget } from './answer-budget.ts';
import { rowsText } from './rows-text.ts';

function setOf(rows: Record<string, Cell>[]): RowSet {
  const names = Object.keys(rows[0]!);
  return {
    columns: names.map((name) => ({ name, type: 'text', nativeType: '' })),
    values: names.map((name) => ({ kind: 'cells', cells: rows.map((row) => row[name] ?? null) })),
    rowCount: rows.length,
  };
}

const show = (set: RowSet, budget = new AnswerBudget()) => rowsText(set, { budget, includeVectors: false });

test.each([
  ['Chinese', '中'.repeat(5_000)],
  ['accents', 'é'.repeat(9_000)],
  ['Cyrillic', 'ж'.repeat(21_000)],
  ['letters and digits in turn', 'a1'.repeat(9_000)],
])('a first row with one long value is shown with the value cut: %s', (_, long) => {
  const { lines, shown, cut, notes } = show(setOf([{ body: long }]));
  expect({ shown, cut, notes: notes.map(String) }).toEqual({
    shown: 1,
    cut: false,
    notes: ['Long values were cut; export_data writes them whole.'],
  });
  expect(lines[1]).toMatch(new RegExp(`^${long.slice(0, 500)}.*… \\(${long.length} characters\\)$`));
});

test('a first row with too many columns is shown with its values cut', () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `c${index}`);
  const { lines, shown } = show(setOf([Object.fromEntries(names.map((name) => [name, '中'.repeat(30)]))]));
  expect(shown).toBe(1);
  expect(lines[1]).toMatch(/^中{20}… \(30 characters\)\t中/);
  expect(new AnswerBudget().take(lines.join('\n'))).toBe(true);
});

test('column names that do not fit are cut', () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `a long name of a column ${index}`);
  const { lines, notes, ...rest } = show(setOf([Object.fromEntries(names.map((name) => [name, 'x']))]));
  expect({ ...rest, notes: notes.map(String) }).toEqual({
    shown: 0,
    cut: true,
    notes: ['Column names were cut: ask for fewer columns.'],
  });
  expect(lines).toEqual([names.join('\t').slice(0, lines[0]!.length)]);
  expect(new AnswerBudget().take(lines[0]!)).toBe(true);
});

test('a cut does not split an emoji', () => {
  const budget = new AnswerBudget();
  for (const start of ['', 'x'])
    expect(budget.takeStart(start + '😀'.repeat(9_000)).isWellFormed()).toBe(true);
});

test('if only the header fits, no row counts as shown, not even a row whose line is empty', () => {
  const vectors: RowSet = {
    columns: [{ name: 'vector', type: 'vector', nativeType: '' }],
    values: [{ kind: 'cells', cells: [null] }],
    rowCount: 1,
  };
  for (const [set, headerTokens] of [[vectors, 1] as const, [setOf([{ a: 'x'.repeat(100) }]), 2] as const]) {
    const budget = new AnswerBudget();
    for (let left = 8_000; left > headerTokens; left--) budget.take('');
    const { shown, cut } = show(set, budget);
    expect({ shown, cut }).toEqual({ shown: 0, cut: true });
  }
});
