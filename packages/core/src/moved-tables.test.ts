import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type RandomSource, randomSource } from '@trestle/driver-kit/testing/random';
import { parquetRead } from 'hyparquet';
import { expect, test, vi } from 'vitest';
import { type ExportFormat, exportFormats, exportWriter } from './export/export-format.ts';
import { type InexactColumn, inexactValues, mayBeInexact } from './export/inexact-values.ts';
import { planImport } from './imports/plan-import.ts';
import { runImport } from './imports/run-import.ts';
import { surveyFile } from './imports/survey-file.ts';
import { newConnectionDraft } from './index.ts';
import { accessTo, root, temporaryFolder, testCore } from './testing/test-core.ts';

/** How many tables are moved. `npm run proofs -- moves` moves more. */
const tables = Number(process.env.TRESTLE_FUZZ_CASES ?? 6);
const seed = Number(process.env.TRESTLE_FUZZ_SEED ?? 20_261_119);
const signal = new AbortController().signal;
const all = { filters: [], match: 'all' as const, sort: [] };

test(`${tables} tables with odd names and values arrive in every format and as a copy, or the loss was announced`, {
  timeout: 120_000 + tables * 4000,
}, async () => {
  const folder = temporaryFolder();
  const { core } = await testCore({ bundledDrivers: [inOneProcess(join(folder, 'driver'))] });
  const file = join(folder, 'odd.db');
  const raw = new DatabaseSync(file);
  raw.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
  const targetFile = join(folder, 'target.db');
  const target = new DatabaseSync(targetFile);
  target.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
  const connect = async (name: string, file: string) => {
    const draft = { ...newConnectionDraft(core.drivers.get('sqlite')!), name, fields: { file } };
    return (await core.connections.create(draft)).id;
  };
  const id = await connect('Odd', file);
  const targetId = await connect('Target', targetFile);
  const random = randomSource(seed);
  for (let round = 0; round < tables; round++) {
    const table = oddTable(random);
    create(raw, table, table.name);
    fill(raw, table, random);
    const given = readRaw(raw, table, table.name);
    for (const format of exportFormats) {
      const where = `seed ${seed}, table ${round}, ${format}: ${definition(table, table.name)}`;
      const { path, inexact } = await exported(format, table);
      if (format === 'parquet') {
        await compareParquet(path, { given, table, inexact, where });
        continue;
      }
      create(target, table, 'target');
      const report = await imported(path);
      compare(given, readRaw(target, table, 'target'), {
        inexact,
        failed: report.failed,
        where: `${where}\n${JSON.stringify(report)}`,
      });
      if (format !== 'csv') expect(report.failed + inexact.length, where).toBe(0);
      target.exec('DROP TABLE target');
    }
    const where = `seed ${seed}, table ${round}, copy: ${definition(table, table.name)}`;
    await copied(table);
    compare(given, readRaw(target, table, 'target'), { inexact: [], failed: 0, where });
    target.exec('DROP TABLE target');
    raw.exec(`DROP TABLE ${quoted(table.name)}`);
  }
  raw.close();
  target.close();

  async function exported(format: ExportFormat, { name }: OddTable) {
    const columns = (await core.data.describe(accessTo(id), name)).columns;
    const names = columns.filter(({ hidden }) => !hidden).map((column) => column.name);
    const read = () =>
      core.data.exportRows(accessTo(id), { ...all, table: name, columns: names, exact: true });
    const inexact = mayBeInexact(format, names, true) ? await inexactValues(read(), format) : [];
    const asText = inexact.map(({ column }) => column);
    const writer = await exportWriter(format, { columns: names, escapeFormulas: false, asText });
    const pieces: (string | Uint8Array)[] = [];
    for await (const rows of read()) pieces.push(await writer.rows(rows, 0, rows.rowCount));
    pieces.push(await writer.end());
    const path = join(folder, `odd.${format}`);
    writeFileSync(path, Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
    return { path, inexact };
  }

  async function imported(path: string) {
    const survey = await surveyFile(path, { signal });
    const begun = await core.imports.begin(
      { connectionId: targetId, table: 'target', replace: false },
      signal,
    );
    const problems: string[] = [];
    const report = await runImport({
      file: survey,
      plan: planImport(survey.columns, begun.table),
      send: (rows) => core.imports.send(begun.id, rows, signal),
      onFailed: (_row, { problem }) => problems.push(problem),
      signal,
    });
    core.imports.end(begun.id);
    return { ...report, problems };
  }

  async function copied({ name }: OddTable) {
    const to = { connectionId: targetId, table: 'target' };
    const actor = { door: 'window', isPerson: true } as const;
    const { id: copy } = await core
      .administer(actor)
      .beginCopy({ from: { connectionId: id, table: name }, to, goOn: false });
    await vi.waitFor(() => expect(core.copies.progress(copy).state).toBe('done'), {
      timeout: 120_000,
      interval: 5,
    });
    expect(core.copies.progress(copy)).toMatchObject({
      report: { ended: 'complete', failed: 0, different: [] },
    });
    core.copies.forget(copy);
  }
});

/** The driver without a process for each export: starting them would take most of the time. */
function inOneProcess(folder: string): string {
  cpSync(join(root, 'dist', 'drivers', 'sqlite'), folder, { recursive: true });
  const file = join(folder, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...manifest, concurrency: 'parallel' }));
  return folder;
}

interface OddTable {
  name: string;
  key: { name: string; type: string };
  columns: { name: string; type: string }[];
  isStrict: boolean;
  withoutRowid: boolean;
}

type Raw = { type: string; value: unknown };

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

function oddTable(random: RandomSource): OddTable {
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

function definition({ key, columns, isStrict, withoutRowid }: OddTable, name: string): string {
  const own = columns.map((column) => `, ${quoted(column.name)} ${column.type}`).join('');
  const options = [...(isStrict ? ['STRICT'] : []), ...(withoutRowid ? ['WITHOUT ROWID'] : [])].join(', ');
  return `CREATE TABLE ${quoted(name)} (${quoted(key.name)} ${key.type} PRIMARY KEY NOT NULL${own}) ${options}`;
}

function create(raw: DatabaseSync, table: OddTable, name: string): void {
  raw.exec(definition(table, name));
}

function fill(raw: DatabaseSync, table: OddTable, random: RandomSource): void {
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

/** The rows as SQLite itself gives them: the storage class and the value of each cell, by the text of the key. */
function readRaw(raw: DatabaseSync, { key, columns }: OddTable, name: string): Map<string, Raw[]> {
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

function compare(
  given: Map<string, Raw[]>,
  found: Map<string, Raw[]>,
  { inexact, failed, where }: { inexact: InexactColumn[]; failed: number; where: string },
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

async function compareParquet(
  path: string,
  {
    given,
    table,
    inexact,
    where,
  }: { given: Map<string, Raw[]>; table: OddTable; inexact: InexactColumn[]; where: string },
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

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
