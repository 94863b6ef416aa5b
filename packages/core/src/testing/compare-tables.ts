import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { parquetRead } from 'hyparquet';
import { expect } from 'vitest';
import type { InexactColumn } from '../export/inexact-values.ts';
import { type OddTable, quoted } from './odd-tables.ts';

export type Raw = { type: string; value: unknown };
/** The cells of each row, the key first, by the text of the key. */
export type RawRows = Map<string, Raw[]>;
type Inexact = Pick<InexactColumn, 'column' | 'count'>[];

/** The rows as SQLite itself gives them: the storage class and the value of each cell. */
export function readRaw(raw: DatabaseSync, { key, columns }: OddTable, name: string): RawRows {
  const parts = [key, ...columns].flatMap(({ name: column }) => [
    `typeof(${quoted(column)})`,
    quoted(column),
  ]);
  const statement = raw.prepare(`SELECT ${parts.join(', ')} FROM ${quoted(name)}`);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const rows = statement.all() as unknown as unknown[][];
  return new Map(
    rows.map((row) => {
      const cells = Array.from(
        { length: row.length / 2 },
        (_, index): Raw => ({ type: String(row[2 * index]), value: row[2 * index + 1] }),
      );
      return [`${cells[0]!.type} ${textOf(cells[0]!.value)}`, cells];
    }),
  );
}

function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return Object.is(value, -0) ? '-0' : String(value);
}

const shown = ({ type, value }: Raw) => `${type} ${textOf(value)}`;
const isSame = (one: Raw, other: Raw) => one.type === other.type && textOf(one.value) === textOf(other.value);

export function compare(
  given: RawRows,
  found: RawRows,
  { inexact, failed, where }: { inexact: Inexact; failed: number; where: string },
): void {
  const announced = inexact.reduce((sum, { count }) => sum + count, 0);
  const different: string[] = [];
  for (const [key, cells] of given) {
    const other = found.get(key);
    cells.forEach((cell, index) => {
      if (!other && index > 0) return;
      if (!other || !isSame(cell, other[index]!))
        different.push(`${shown(cell)} → ${other ? shown(other[index]!) : 'missing'}`);
    });
  }
  // A row whose key is read as another type counts as missing, and so does a row that was refused.
  expect(different.length, `${where}\n${different.join('\n')}`).toBeLessThanOrEqual(announced);
  if (inexact.length === 0) expect([found.size, failed], where).toEqual([given.size, 0]);
}

export async function compareParquet(
  path: string,
  { given, table, inexact, where }: { given: RawRows; table: OddTable; inexact: Inexact; where: string },
): Promise<void> {
  const bytes = readFileSync(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  // As arrays: the reader would lose a column called `__proto__` in an object.
  const { promise, resolve } = Promise.withResolvers<unknown[][]>();
  await parquetRead({ file, utf8: false, onComplete: (read) => resolve(read as unknown as unknown[][]) });
  const rows = await promise;
  expect(rows.length, where).toBe(given.size);
  const lost = new Set(inexact.map(({ column }) => column));
  const names = [table.key, ...table.columns].map(({ name }) => name);
  names.forEach((name, index) => {
    if (lost.has(name)) return;
    const bag = (values: unknown[]) =>
      values
        .map((value) =>
          value === null || value === undefined ? 'NULL' : withoutMark(textOf(asDouble(value))),
        )
        .sort();
    const expected = Array.from(given.values(), (cells) => cells[index]!.value);
    const read = rows.map((row) => row[index]);
    expect(bag(read), `${where} ${name}`).toEqual(bag(expected));
  });
}

/** A DOUBLE column holds an integer as the double of the same value. */
const asDouble = (value: unknown) =>
  typeof value === 'bigint' && BigInt(Number(value)) === value ? Number(value) : value;

/** The reader takes a byte order mark at the start of a text away. */
const withoutMark = (text: string) => text.replace(/^\ufeff/, '');
