import { type Cell, type RunResult, rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { fileName, formatsOf, resultText } from './result-file.ts';

function resultOf(names: string[], ...rows: Cell[][]): RunResult {
  const columns = names.map((name) => ({ name, type: 'any' as const, nativeType: 'any' }));
  return { kind: 'rows', rows: rowSetFromCells(columns, rows), truncated: false };
}

test('CSV distinguishes NULL from empty text, keeps non-Latin text, and escapes formulas only if asked', () => {
  const result = resultOf(
    ['id', 'text'],
    [1, null],
    [2, ''],
    [3, 'a,"b"\nc'],
    [-4, '=1+1'],
    [5, '日本語 👩‍👩‍👧 שלום'],
    [6, [1, 'x']],
    [7, 9007199254740993n],
    [8, -9007199254740993n],
    [9, new Uint8Array([0xf8, 0])],
  );
  expect(resultText(result, 'csv').split('\r\n')[4]).toBe('-4,=1+1');
  expect(resultText(result, 'spreadsheetCsv').split('\r\n')).toEqual([
    'id,text',
    '1,',
    '2,""',
    '3,"a,""b""\nc"',
    "-4,'=1+1",
    '5,日本語 👩‍👩‍👧 שלום',
    '6,"[1,""x""]"',
    '7,9007199254740993',
    '8,-9007199254740993',
    '9,+AA=',
    '',
  ]);
});

test('JSON keeps both columns with the same name, and a column called __proto__', () => {
  const result = resultOf(['a', 'a', '__proto__'], [1, 2, 3], [null, 'x', '<b>']);
  expect(resultText(result, 'jsonl')).toBe(
    '{"a":1,"a (2)":2,"__proto__":3}\n{"a":null,"a (2)":"x","__proto__":"<b>"}\n',
  );
  expect(JSON.parse(resultText(resultOf(['a'], [1]), 'json'))).toEqual([{ a: 1 }]);
});

test('a document can only be saved as JSON', () => {
  const result: RunResult = { kind: 'document', document: { a: [1] } };
  expect(formatsOf(result).map(({ format }) => format)).toEqual(['json']);
  expect(JSON.parse(resultText(result, 'json'))).toEqual({ a: [1] });
});

test('the name of a file has no path and no mark-up', () => {
  expect([fileName('../../etc'), fileName('<b>日本語</b> שלום'), fileName('…')]).toEqual([
    'etc',
    'b-日本語-b-שלום',
    'result',
  ]);
  expect(fileName(`a${'𠮷'.repeat(70)}`)).toBe(`a${'𠮷'.repeat(59)}`);
});
