import { expect, test } from 'vitest';
import { type RowReader, readRows } from './read-rows.ts';
import type { SourceRow } from './source-row.ts';

/** Reads the text in pieces of `size` characters. The rows must not depend on where the text is cut. */
async function read(text: string, size = text.length): Promise<{ rows: SourceRow[]; reader: RowReader }> {
  let reader: RowReader | undefined;
  async function* pieces() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  const rows = (await Array.fromAsync(readRows(pieces(), (chosen) => (reader = chosen)))).flat();
  return { rows, reader: reader! };
}

const plain = (rows: SourceRow[]) =>
  rows.map(({ line, values, problem }) => ({
    line,
    ...(problem ? { problem } : { values: Object.fromEntries(values) }),
  }));

test.each([1, 2, 3, 7, 1000])('CSV is read in pieces of %i characters', async (size) => {
  const text =
    'name,note,count\r\n' +
    '"Laika, the dog","said ""woof""\r\nand\nflew",1\r\n' +
    '\r\n' +
    'Félicette,,2\n' +
    '犬 "quoted" inside,"",3';
  const { rows, reader } = await read(text, size);
  expect(reader.format).toBe('csv');
  expect(reader.columns()).toEqual(['name', 'note', 'count']);
  expect(plain(rows)).toEqual([
    { line: 2, values: { name: 'Laika, the dog', note: 'said "woof"\r\nand\nflew', count: '1' } },
    { line: 6, values: { name: 'Félicette', note: null, count: '2' } },
    { line: 7, values: { name: '犬 "quoted" inside', note: '', count: '3' } },
  ]);
});

test.each([1, 2, 3, 4, 5, 1000])(
  'a field of doubled quotes is read in pieces of %i characters',
  async (size) => {
    const { rows } = await read('a,b\n"""","x""""""y""z""\n"""\n', size);
    expect(plain(rows)).toEqual([{ line: 2, values: { a: '"', b: 'x"""y"z"\n"' } }]);
  },
);

test.each([
  [';', 'a;"b;c";d\n1;2;3\n'],
  ['\t', 'a\tb,c\td\n1\t2\t3\n'],
  ['|', 'a|b|c\n1|2|3'],
  [',', 'only\n1\n'],
  [';', 'size 5";b;c\n1;2;3\n'],
  [';', '"say ""a,b,c,d""";b\n1;2\n'],
])('the header determines the delimiter %j', async (delimiter, text) => {
  const { reader, rows } = await read(text);
  expect(reader.delimiter).toBe(delimiter);
  expect(rows).toHaveLength(1);
});

test('a CSV row that cannot be read is reported, and the other rows are read', async () => {
  const { rows } = await read('a,b\n1\n2,3\n4,5,6\n"7"x,8\n9,10\n');
  expect(plain(rows)).toEqual([
    { line: 2, problem: '1 field, but the header has 2' },
    { line: 3, values: { a: '2', b: '3' } },
    { line: 4, problem: '3 fields, but the header has 2' },
    { line: 5, problem: expect.stringContaining('text follows the closing quote') },
    { line: 6, values: { a: '9', b: '10' } },
  ]);
});

test.each([1, 2, 3, 1000])(
  'text after a closing quote is kept for the report, read in pieces of %i characters',
  async (size) => {
    const { rows } = await read('a,b\n"say ""hi"""there,8\n"x" ,9\n1,2\n', size);
    expect(rows.map(({ unread }) => unread)).toEqual([['"say ""hi"""there', '8'], ['"x" ', '9'], undefined]);
  },
);

test.each([
  ['a,b\n1,"2\n3,4\n', 'Line 2: a quoted field in this row is never closed'],
  ['a,a\n1,2\n', 'Line 1: the header names the column "a" twice'],
  ['a,,b\n1,2,3\n', 'Line 1: the header has a column without a name'],
  ['[{"a": 1}, {"a": }]', 'Line 1: not JSON: '],
  ['[\n{"a": 1},\n{"a": 2}\n', 'Line 4: the JSON array does not end'],
  ['[{"a": 1},]', 'Line 1: not JSON: '],
  ['[{"a": 1},\n{"a": 2}},\n{"a": 3}]\n', 'Line 2: not JSON: '],
  ['[}, {"a": 1}]', 'Line 1: not JSON: '],
  ['[{"a": 1}]\n{"a": 2}', 'Line 2: text follows the end of the JSON array'],
])('%j cannot be read', async (text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

test.each([1, 2, 5, 1000])('JSON lines are read in pieces of %i characters', async (size) => {
  const { rows, reader } = await read(
    '{"a": "x\\ny", "big": 12345678901234567890}\r\n\n{broken\n[1]\n{"b": [1, {"c": null}]}',
    size,
  );
  expect(reader.format).toBe('jsonl');
  expect(reader.columns()).toEqual(['a', 'big', 'b']);
  expect(plain(rows)).toEqual([
    { line: 1, values: { a: 'x\ny', big: 12345678901234567890n } },
    { line: 3, problem: expect.stringContaining('not JSON') },
    { line: 4, problem: expect.stringContaining('not a JSON object') },
    { line: 5, values: { b: [1, { c: null }] } },
  ]);
});

test.each([1, 2, 5, 1000])('a JSON array is read in pieces of %i characters', async (size) => {
  const { rows, reader } = await read('\n[ {"a": "],{\\"", "b": [1, 2]},\n\n 5, {"a": 2}\n]\n', size);
  expect(reader.format).toBe('json');
  expect(rows.map(({ ordinal }) => ordinal)).toEqual([1, 2, 3]);
  expect(plain(rows)).toEqual([
    { line: 2, values: { a: '],{"', b: [1, 2] } },
    { line: 4, problem: expect.stringContaining('not a JSON object') },
    { line: 4, values: { a: 2 } },
  ]);
  expect((await read('[ ]')).rows).toEqual([]);
});

test('a byte order mark before a JSON array is left out', async () => {
  expect(plain((await read('\ufeff[{"a": 1}]', 1)).rows)).toEqual([{ line: 1, values: { a: 1 } }]);
});
