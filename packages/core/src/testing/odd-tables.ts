import type { DatabaseSync } from 'node:sqlite';
import type { RandomSource } from '@trestle/driver-kit/testing/random';

/** A table of SQLite whose names and values are often read wrong. */
export interface OddTable {
  name: string;
  key: { name: string; type: string };
  columns: { name: string; type: string }[];
  isStrict: boolean;
  withoutRowid: boolean;
}

const oddNames = [
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    ' lead',
    'trail ',
    'a,b',
    'say "q"',
    'x;y',
    'p|q',
    't\tt',
    'l\nl',
  ],
  ...[
    '漢字',
    '🚀',
    'É',
    'select',
    '$text',
    '$bytes',
    'trestle_line',
    'trestle_error',
    'trestle_id',
    'uuid',
    '_id',
    '[x]',
    '{x}',
    '0',
    '-1',
    "it's",
    '=1+1',
    'x\\',
    'x\\"',
    '%s',
    '\ufeffbom',
  ],
];
const looseTypes = [
  '',
  '',
  'BLOB',
  'TEXT',
  'INTEGER',
  'REAL',
  'NUMERIC',
  'DATE',
  'VARCHAR(9)',
  'BOOLEAN',
  'DECIMAL(9,2)',
  'ANY',
  'JSON',
  'POINT',
];
const strictTypes = ['ANY', 'ANY', 'TEXT', 'INTEGER', 'REAL', 'BLOB'];
const texts = [
  '',
  ' ',
  '5',
  '5.0',
  '-0',
  '1e3',
  '007',
  'true',
  'NULL',
  'null',
  'AQI=',
  '{"a":1}',
  '{"$text":"x"}',
  '[1,2,3,4]',
  'a,b',
  'two\r\nlines',
  '"quoted"',
  "it's",
  '=1+1',
  '漢字🚀',
  'é',
  ' padded ',
  '\ufeffx',
  '2026-07-28',
  '9223372036854775808',
  'Infinity',
  'a\tb',
  '\\',
  '\\ud800',
];
const integers = [
  0n,
  1n,
  -1n,
  5n,
  2n ** 31n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  -(2n ** 53n) - 1n,
  1152921504606847000n,
];
const reals = [
  0.5,
  -0,
  0,
  5,
  -1,
  0.1,
  1e15,
  1e16,
  1.2345678901234567e19,
  1e20,
  1e21,
  2 ** 53,
  2 ** 60,
  2 ** 63,
  -(2 ** 63),
  9.3e18,
  1e-300,
  5e-324,
  1.7976931348623157e308,
  Infinity,
  -Infinity,
  1 / 3,
];

export function oddTable(random: RandomSource): OddTable {
  const isStrict = random.below(4) === 0;
  const names = new Map<string, string>();
  for (let count = 1 + random.below(5); names.size < count; ) {
    const name = random.pick(oddNames);
    names.set(name.toLowerCase(), name);
  }
  const columns = Array.from(names.values(), (name) => ({
    name,
    type: random.pick(isStrict ? strictTypes : looseTypes),
  }));
  const key = {
    name: random.pick(['k', 'the key', 'id']),
    type: random.pick(['INTEGER', 'TEXT', isStrict ? 'ANY' : '', 'REAL', 'BLOB']),
  };
  return {
    name: `odd ${random.pick(oddNames)}`,
    key,
    columns,
    isStrict,
    withoutRowid: random.below(3) === 0,
  };
}

export function definition({ key, columns, isStrict, withoutRowid }: OddTable, name: string): string {
  const own = columns.map((column) => `, ${quoted(column.name)} ${column.type}`).join('');
  const options = [...(isStrict ? ['STRICT'] : []), ...(withoutRowid ? ['WITHOUT ROWID'] : [])].join(', ');
  return `CREATE TABLE ${quoted(name)} (${quoted(key.name)} ${key.type} PRIMARY KEY NOT NULL${own}) ${options}`;
}

export function create(raw: DatabaseSync, table: OddTable, name: string): void {
  raw.exec(definition(table, name));
}

export function fill(raw: DatabaseSync, table: OddTable, random: RandomSource): void {
  const insert = raw.prepare(
    `INSERT OR IGNORE INTO ${quoted(table.name)} VALUES (?${', ?'.repeat(table.columns.length)})`,
  );
  insert.setReadBigInts(true);
  const rows = 1 + random.below(8);
  for (let row = 0; row < rows; row++) {
    const key =
      { INTEGER: integerKey, TEXT: textKey, REAL: realKey, BLOB: blobKey }[table.key.type] ?? anyKey;
    const cells = table.columns.map(({ type }) =>
      table.isStrict ? strictCell(type, random) : anyCell(random),
    );
    insert.run(key(row, random), ...cells);
  }
}

type Stored = null | bigint | number | string | Uint8Array;
const integerKey = (row: number, random: RandomSource): Stored =>
  row === 0 ? random.pick(integers) : BigInt(row * 7);
const textKey = (row: number, random: RandomSource): Stored =>
  row === 0 ? random.pick(texts) : `${row}${random.pick(texts)}`;
const realKey = (row: number, random: RandomSource): Stored => (row === 0 ? random.pick(reals) : row + 0.25);
const blobKey = (row: number): Stored => Uint8Array.of(row, 255, 0);
const anyKey = (row: number, random: RandomSource): Stored =>
  random.pick([integerKey, textKey, realKey, blobKey])(row, random);

function anyCell(random: RandomSource): Stored {
  return random.pick([
    () => null,
    () => random.pick(texts),
    () => random.pick(integers),
    () => random.pick(reals),
    () => Uint8Array.from({ length: random.below(5) }, () => random.below(256)),
  ])();
}

function strictCell(type: string, random: RandomSource): Stored {
  if (type === 'ANY') return anyCell(random);
  if (random.below(5) === 0) return null;
  if (type === 'TEXT') return random.pick(texts);
  if (type === 'INTEGER') return random.pick(integers);
  return type === 'REAL' ? random.pick(reals) : Uint8Array.of(random.below(256));
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
