import { type Cell, type ColumnHead, rowSetFromCells, type TableDescription } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import type { ExportFormat } from './export-format.ts';
import { inexactValues, inexactWords, unsureColumns } from './inexact-values.ts';

const head = (name: string, type: ColumnHead['type'], apart = true): ColumnHead => ({
  name,
  type,
  nativeType: '',
  ...(apart && (type === 'any' || type === 'bytes') && { apart }),
});

function inexact(format: ExportFormat, heads: ColumnHead[], ...rows: Cell[][]) {
  async function* source() {
    yield rowSetFromCells(heads, rows);
  }
  return inexactValues(source(), format);
}

test('CSV names the values that an import would read as another type', async () => {
  const heads = [
    head('v', 'any'),
    head('i', 'int'),
    head('n', 'number'),
    head('t', 'text'),
    head('b', 'bytes'),
  ];
  const found = await inexact(
    'csv',
    heads,
    [5n, 5, 5, '5', Uint8Array.of(1)],
    ['5', 'x', 2n ** 60n, Uint8Array.of(1), 'AQ'],
    [5, 2n ** 53n, -0, '', 5n],
    [-0, 1.5, 'x', null, null],
    ['text', 9007199254740994, 1e16, ' ', Uint8Array.of()],
    [Uint8Array.of(0), null, Number.POSITIVE_INFINITY, 'a', 1.5],
  );
  expect(found).toEqual([
    { column: 'v', count: 4, kinds: '1 text, 2 floating-point numbers, 1 binary value' },
    { column: 'i', count: 2, kinds: '1 text, 1 floating-point number' },
    { column: 'n', count: 1, kinds: '1 text' },
    { column: 't', count: 1, kinds: '1 binary value' },
    { column: 'b', count: 3, kinds: '1 text, 1 integer, 1 floating-point number' },
  ]);
  expect(inexactWords(found.slice(3, 4), 'csv')).toEqual([
    'CSV does not keep 1 value of the column t exactly (1 binary value).',
    'An import of the file may read them as values of another type. JSON and JSON lines keep them.',
  ]);
  expect(await inexact('json', heads, ['5', 'x', 'x', 5, 'x'])).toEqual([]);
  expect(inexactWords([], 'csv')).toEqual([]);
});

test('Parquet names the values that the type of their column does not hold', async () => {
  const found = await inexact(
    'parquet',
    [head('v', 'any'), head('i', 'int')],
    ['text', 2n ** 62n],
    [5n, 'x'],
    [null, 2 ** 63],
  );
  expect(found).toEqual([
    { column: 'v', count: 1, kinds: '1 integer' },
    { column: 'i', count: 2, kinds: '1 text, 1 floating-point number' },
  ]);
});

test('a CSV file of one column loses NULL, because an import skips an empty line', async () => {
  expect(await inexact('csv', [head('t', 'text')], ['a'], [null])).toEqual([
    { column: 't', count: 1, kinds: '1 NULL' },
  ]);
  const columns = [head('t', 'text'), head('d', 'date')] as unknown as TableDescription['columns'];
  expect(unsureColumns('csv', ['t'], { columns })).toEqual(['t']);
  expect(unsureColumns('csv', ['t', 'd'], { columns })).toEqual([]);
  expect(unsureColumns('parquet', ['t', 'd'], { columns, mixed: true })).toEqual(['t', 'd']);
  expect(unsureColumns('parquet', ['t', 'd'], { columns })).toEqual(['d']);
  expect(unsureColumns('parquet', ['t'], { columns })).toEqual([]);
  expect(unsureColumns('json', ['t'], { columns, mixed: true })).toEqual([]);
});

test('Parquet names the dates with parts below a microsecond', async () => {
  const found = await inexact(
    'parquet',
    [head('d', 'date')],
    ['2024-01-02T03:04:05.123456Z'],
    ['2024-01-02T03:04:05.123456000Z'],
    ['2024-01-02T03:04:05.123456001Z'],
    ['soon'],
  );
  expect(found).toEqual([{ column: 'd', count: 2, kinds: '1 sub-microsecond date, 1 text' }]);
});
