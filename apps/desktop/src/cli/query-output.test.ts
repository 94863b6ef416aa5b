import type { QueryOutcome } from '@trestle/core';
import { type ColumnHead, type RowSet, type RunResult, rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { plainText, safeJson } from './output.ts';
import { jsonOf, messageLines, outcomeLines } from './query-output.ts';

const head = (name: string): ColumnHead => ({ name, type: 'any', nativeType: '' });

const outcome = (results: RunResult[], messages: QueryOutcome['messages'] = []): QueryOutcome => ({
  effect: 'read',
  results,
  messages,
  historyId: null,
  durationMs: 1,
});

const table = (rows: RowSet, truncated = false): RunResult => ({ kind: 'rows', rows, truncated });
const lines = (result: RunResult, width?: number) => [...outcomeLines(outcome([result]), width)];

test('NULL, an empty text and the text NULL look different', () => {
  const rows = rowSetFromCells(
    [head('id'), head('n')],
    [
      [1, null],
      [2, ''],
      [3, 'NULL'],
      [4, '"NULL"'],
    ],
  );
  expect(lines(table(rows))).toEqual([
    'id  n',
    '--  --------',
    '1   NULL',
    '2',
    '3   "NULL"',
    '4   ""NULL""',
    '(4 rows)',
  ]);
});

test('a table fits the terminal, and letters of two cells keep the columns aligned', () => {
  const rows = rowSetFromCells(
    [head('name'), head('text')],
    [
      ['東京', 'x'.repeat(100)],
      ['e\u0301t\u00e9', 'short'],
    ],
  );
  const shown = lines(table(rows, true), 40);
  expect(shown).toEqual([
    'name  text',
    `----  ${'-'.repeat(34)}`,
    `東京  ${'x'.repeat(33)}…`,
    'e\u0301t\u00e9   short',
    '(2 rows, and more: raise --limit)',
  ]);
});

test('many columns keep a smallest width', () => {
  const columns = Array.from({ length: 50 }, (_, index) => head(`column ${index}`));
  const rows = rowSetFromCells(columns, [columns.map(() => 'a long text')]);
  expect(lines(table(rows), 20)[0]).toMatch(/^(col… {2}){49}col…$/);
});

test('a value cannot send sequences to the terminal, break its line or turn its direction', () => {
  const hostile = [
    '\u001b]0;owned\u0007',
    '\u009b31mred',
    'a\r\nb\nc\u2028d',
    '\u202egnp.exe',
    'in\u200bvisible\u{e0041}',
    'half \ud800',
  ];
  const rows = rowSetFromCells(
    [head('\u001b[2Jname')],
    hostile.map((one) => [one]),
  );
  const shown = lines({ ...table(rows), title: '\u001b[1mT' } as RunResult);
  expect(shown.join('\n')).not.toMatch(/[\p{Cf}\p{Cs}\u2028\u2029]|[^\P{Cc}\n]/u);
  expect(shown).toHaveLength(hostile.length + 4);
  expect(shown).toContain('a⏎b⏎c⏎d');
  const json = safeJson(jsonOf(outcome([table(rows), { kind: 'document', document: { a: hostile } }])));
  expect(json).not.toMatch(/[\p{Cf}\u2028\u2029]|[^\P{Cc}\n]/u);
  const parsed = JSON.parse(json);
  expect(parsed.results[0].rows.flat()).toEqual(hostile);
  expect(parsed.results[1].document.a).toEqual(hostile);
  expect(plainText('plain – ä 東')).toBe('plain – ä 東');
});

test('a huge cell is cut', () => {
  const rows = rowSetFromCells([head('a')], [['y'.repeat(5_000_000)], ['z']]);
  for (const line of lines(table(rows))) expect(line.length).toBeLessThanOrEqual(1000);
});

const vectors: RowSet = {
  rowCount: 2,
  columns: [{ name: 'v', type: 'vector', nativeType: '' }],
  values: [
    {
      kind: 'vectors',
      dimensions: 4,
      floats: Float32Array.of(0.1, 2, -3, 4, 0, 0, 0, 0),
      present: Uint8Array.of(1, 0),
    },
  ],
};

test('a vector is short for people and an array for scripts', () => {
  expect(lines(table(vectors)).slice(2)).toEqual(['[0.1, 2, -3, … 4 numbers]', 'NULL', '(2 rows)']);
  expect(jsonOf(outcome([table(vectors)])).results).toMatchObject([{ rows: [[[0.1, 2, -3, 4]], [null]] }]);
});

test('JSON keeps large integers, NULL, bytes, columns of the same name and empty results', () => {
  const rows = rowSetFromCells(
    [head('id'), head('id')],
    [
      [9007199254740993n, null],
      [new Uint8Array([0, 255]), ''],
    ],
  );
  expect(jsonOf(outcome([table(rows), { kind: 'affected', rows: 3 }]))).toEqual({
    effect: 'read',
    durationMs: 1,
    messages: [],
    results: [
      {
        kind: 'rows',
        truncated: false,
        columns: [
          { name: 'id', type: 'any', nativeType: '' },
          { name: 'id', type: 'any', nativeType: '' },
        ],
        rows: [
          ['9007199254740993', null],
          ['AP8=', ''],
        ],
      },
      { kind: 'affected', rows: 3 },
    ],
  });
  expect(lines(table(rowSetFromCells([head('a')], [])))).toEqual(['a', '-', '(0 rows)']);
});

test('several results follow each other; messages name their place', () => {
  const document: RunResult = { kind: 'document', title: 'One', document: { a: [1] } };
  const both = outcome(
    [document, { kind: 'affected', rows: 1 }],
    [
      { level: 'error', text: 'no such class', path: ['Get', 0, 'Old'] },
      { level: 'info', text: 'note' },
    ],
  );
  expect([...outcomeLines(both, 80)]).toEqual(['One', '{\n  "a": [\n    1\n  ]\n}', '', '1 row changed']);
  expect(messageLines(both)).toEqual(['error: no such class (at Get.0.Old)', 'note']);
});
