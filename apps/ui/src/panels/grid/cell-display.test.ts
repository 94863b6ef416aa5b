import { expect, test } from 'vitest';
import { byteSize, compactJson, displayCell, displayMeasure, displayStored } from './cell-display.ts';

test('NULL and the empty text look different from the texts “NULL” and “empty”', () => {
  expect(displayCell(null)).toEqual({ text: 'NULL', kind: 'null' });
  expect(displayCell('')).toEqual({ text: 'empty', kind: 'empty' });
  expect(displayCell('NULL')).toEqual({ text: 'NULL', kind: 'text' });
  expect(displayCell('empty')).toEqual({ text: 'empty', kind: 'text' });
});

test('numbers are shown in full', () => {
  expect(displayCell(9007199254740993n)).toEqual({ text: '9007199254740993', kind: 'number' });
  expect(displayCell(-0.5)).toEqual({ text: '-0.5', kind: 'number' });
});

test('line ends, tabs and control characters of a text are visible', () => {
  expect(displayCell('one\r\ntwo\nthree\tfour\u0000\u007f').text).toBe('one↵two↵three⇥four␀␡');
});

test('a uuid and a date keep their exact value beside the shown text, a boolean has its own kind, and NULL stays NULL', () => {
  const uuid = '6f1c2b0e-8d4a-4c53-9d0f-2f7a2f1f9a10';
  expect(displayCell(uuid, 'uuid')).toEqual({ text: '6f1c2b0e…', kind: 'uuid', exact: uuid });
  expect(displayCell(uuid, 'text')).toEqual({ text: uuid, kind: 'text' });
  const date = '1969-07-16T13:32:00Z';
  expect(displayCell(date, 'date')).toEqual({
    text: expect.stringContaining('1969'),
    kind: 'date',
    exact: date,
  });
  expect(displayCell('yesterday', 'date')).toEqual({ text: 'yesterday', kind: 'text' });
  expect(displayCell(false, 'boolean')).toEqual({ text: 'false', kind: 'boolean' });
  for (const type of ['uuid', 'date', 'boolean', 'vector'] as const) {
    expect(displayCell(null, type)).toEqual({ text: 'NULL', kind: 'null' });
  }
});

test('a measure shows a rounded number and a bar, and keeps every digit', () => {
  expect(displayMeasure(0.9423456, () => 0.5)).toEqual({
    text: '0.942',
    kind: 'measure',
    exact: '0.9423456',
    fraction: 0.5,
  });
  expect(displayMeasure(null, () => 1)).toEqual({ text: 'NULL', kind: 'null' });
});

test('a list of vectors is shown as JSON', () => {
  expect(displayCell([[1, 2], [3]], 'vector')).toEqual({ text: '[[1, 2], [3]]', kind: 'json' });
  expect(displayCell([1, 2], 'vector').kind).toBe('vector');
});

test('bytes show their size and beginning', () => {
  expect(displayCell(new Uint8Array([137, 80, 78, 71]))).toEqual({ text: '4 B · 89 50 4e 47', kind: 'code' });
  expect(displayCell(new Uint8Array(1500)).text).toMatch(/^1\.5 kB · 00 .* …$/);
  expect(byteSize(2_500_000)).toBe('2.5 MB');
  expect([byteSize(999_949), byteSize(999_950)]).toEqual(['999.9 kB', '1.0 MB']);
});

test('a vector shows the beginning of its JSON, with every digit', () => {
  const floats = new Float32Array(1536 * 2);
  floats[1536] = 0.0123;
  floats[1537] = -0.45;
  const values = { kind: 'vectors', dimensions: 1536, floats, present: new Uint8Array([0, 1]) } as const;
  expect(displayStored(values, 0)).toEqual({ text: 'NULL', kind: 'null' });
  floats[1538] = 0.123456789;
  const { text, kind, vector } = displayStored(values, 1);
  expect(kind).toBe('vector');
  expect(vector).toEqual(floats.subarray(1536));
  expect(text).toMatch(/^\[0\.0123, -0\.45, 0\.12345679, 0, 0, /);
  expect(text).toMatch(/, …$/);
  const short = {
    ...values,
    dimensions: 3,
    floats: new Float32Array([1, 2, 3]),
    present: new Uint8Array([1]),
  };
  expect(displayStored(short, 0).text).toBe('[1, 2, 3]');
  expect(displayCell([1, 2, 3]).text).toBe('[1, 2, 3]');
});

test('a list of numbers that is not a vector is shown as JSON, with every digit', () => {
  const years = Array.from({ length: 10 }, (_, index) => 20_240_101 + index);
  expect(displayCell(years).text).toBe(`[${years.join(', ')}]`);
  expect(displayCell(years, 'json').text).toBe(`[${years.join(', ')}]`);
  expect(displayStored({ kind: 'cells', cells: [years] }, 0).text).toBe(`[${years.join(', ')}]`);
});

test('JSON is one line, and JSON and text are cut at the length limit of a cell', () => {
  expect(compactJson({ a: [1, 'x\n'], b: { c: null } })).toBe('{"a": [1, "x\\n"], "b": {"c": null}}');
  const long = compactJson(Array.from({ length: 100_000 }, () => ({ key: 'value' })));
  expect(long.length).toBeLessThanOrEqual(600);
  expect(long).toMatch(/…$/);
  expect(displayCell('x'.repeat(700)).text).toBe(`${'x'.repeat(599)}…`);
});
