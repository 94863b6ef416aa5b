import fc from 'fast-check';
import { expect } from 'vitest';
import { failedRows } from '../../packages/core/src/imports/failed-rows.ts';
import { jsonRowText } from '../../packages/core/src/imports/parse-json-row.ts';
import { type RowReader, readRows } from '../../packages/core/src/imports/read-rows.ts';
import type { SourceRow } from '../../packages/core/src/imports/source-row.ts';
import { csvField } from '../../packages/driver-kit/src/csv-field.ts';
import { fuzz } from './fuzz.ts';
import { anyText, expectOwnError, piecewise } from './texts.ts';

interface Reading {
  rows: SourceRow[];
  format?: string;
  delimiter?: string;
  columns: string[];
}

/** The rows, and the error message if the file cannot be read to its end. */
async function read(pieces: string[]): Promise<Reading | { error: string; rows: SourceRow[] }> {
  const rows: SourceRow[] = [];
  let reader: RowReader | undefined;
  async function* given() {
    yield* pieces;
  }
  try {
    for await (const some of readRows(given(), (chosen) => (reader = chosen))) rows.push(...some);
  } catch (error) {
    expectOwnError(error, 'AppError');
    return { error: (error as Error).message, rows };
  }
  return {
    rows,
    columns: reader?.columns() ?? [],
    ...(reader && { format: reader.format }),
    ...(reader?.delimiter && { delimiter: reader.delimiter }),
  };
}

/** The text cut at these places. Each place is a fraction of the length. */
function cutAt(text: string, places: number[]): string[] {
  const ends = [...places.map((place) => Math.floor(place * text.length)), text.length].sort((a, b) => a - b);
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end)).filter((piece) => piece !== '');
}

const marks = [
  '"',
  '""',
  ',',
  ';',
  '\t',
  '|',
  '\n',
  '\r\n',
  '\r',
  '{',
  '}',
  '[',
  ']',
  ':',
  '\\',
  'a',
  '1',
  ' ',
];
const more = [
  'null',
  'true',
  '1e999',
  '-0',
  '12345678901234567890',
  '{"a":1}',
  '[{"a":1},',
  '"a":',
  'é',
  '\ufeff',
];

fuzz({
  name: 'import-cuts',
  holds: 'the rows or the error do not depend on where the file is cut into chunks',
  short: 2000,
  inputs: fc.record({
    text: piecewise([...marks, ...more], 16),
    cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
  }),
  async property({ text, cuts }) {
    const whole = await read([text].filter((piece) => piece !== ''));
    const inPieces = await read(cutAt(text, cuts));
    // The number of rows that are read before an error may depend on the chunks.
    if ('error' in whole) expect(inPieces).toMatchObject({ error: whole.error });
    else expect(inPieces).toEqual(whole);
  },
});

const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }).filter((one) => one.trim() === one);

fuzz({
  name: 'import-csv',
  holds:
    'a CSV file that we write is read back with the same values, and NULL and the empty text stay distinct',
  short: 1000,
  inputs: fc.integer({ min: 2, max: 4 }).chain((width) =>
    fc.record({
      header: fc.uniqueArray(name, { minLength: width, maxLength: width }),
      rows: fc.array(fc.array(fc.oneof(fc.constant(null), anyText), { minLength: width, maxLength: width }), {
        maxLength: 4,
      }),
      delimiter: fc.constantFrom(',', ';', '\t', '|'),
      eol: fc.constantFrom('\n', '\r\n'),
    }),
  ),
  async property({ header, rows, delimiter, eol }) {
    // Without quotes, a name with another delimiter or a start like JSON could change the detected format or delimiter.
    const head = header.map((field) => `"${field.replaceAll('"', '""')}"`).join(delimiter);
    const lines = rows.map((row) => row.map((field) => csvField(field, delimiter)).join(delimiter));
    const reading = await read([[head, ...lines, ''].join(eol)]);
    if ('error' in reading) throw new Error(reading.error);
    expect(reading.delimiter).toBe(delimiter);
    expect(reading.columns).toEqual(header);
    expect(reading.rows.map(({ values }) => header.map((one) => values.get(one)))).toEqual(rows);
  },
});

fuzz({
  name: 'import-json',
  holds: 'whole numbers keep every digit, and the report of failed rows contains each row again',
  short: 1000,
  inputs: fc.record({
    rows: fc.array(
      fc.dictionary(
        fc.oneof(anyText, fc.constantFrom('__proto__', 'x\\', 'x"', '\\', '/', '\n')),
        fc.jsonValue({ maxDepth: 2 }),
        {
          maxKeys: 3,
        },
      ),
      { minLength: 1, maxLength: 4 },
    ),
    long: fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(String),
    format: fc.constantFrom('json', 'jsonl'),
    raw: fc.constantFrom('1e999', '-1e400', '1e308', '0.1', '1e-400', '-0'),
  }),
  async property({ rows, long, format, raw }) {
    const texts = rows.map((row, index) => {
      const own = JSON.stringify(row);
      const extra = `"big":${long}${index === 0 ? `,"raw":${raw}` : ''}`;
      return own === '{}' ? `{${extra}}` : `${own.slice(0, -1)},${extra}}`;
    });
    const first = await read([format === 'json' ? `[${texts.join(',')}]` : texts.join('\n')]);
    if ('error' in first) throw new Error(first.error);
    expect(first.rows).toHaveLength(rows.length);
    const names = { line: 'trestle_line', error: 'trestle_error', id: 'trestle_id' };
    const report = failedRows({ format, columns: first.columns } as Parameters<typeof failedRows>[0], names);
    const written = first.rows.map((row) => report.row(row, { problem: 'no' })).join('') + report.end();
    const second = await read([written]);
    if ('error' in second) throw new Error(second.error);
    for (const [index, { values, unread }] of first.rows.entries()) {
      if (unread !== undefined) expect(second.rows[index]?.unread).toBe(unread);
      else {
        const again = new Map(second.rows[index]!.values);
        expect(String(values.get('big'))).toBe(String(BigInt(long)));
        for (const [column, value] of values) {
          if (!column.startsWith('trestle_'))
            expect(jsonRowText([[column, again.get(column)]])).toBe(jsonRowText([[column, value]]));
        }
        for (const value of values.values())
          expect(value).not.toSatisfy((one) => typeof one === 'number' && !Number.isFinite(one));
      }
    }
  },
});
