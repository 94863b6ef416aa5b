import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ColumnDescription, ColumnType, TableDescription } from '@trestle/driver-kit';
import { expect, onTestFinished, test } from 'vitest';
import { textWriter } from '../export/export-format.ts';
import type { ImportBatch, ImportedRow } from '../types.ts';
import { checkFile } from './check-file.ts';
import { failedRows } from './failed-rows.ts';
import { fitRow } from './fit-row.ts';
import { type PlanOptions, planImport, reportColumnsOf } from './plan-import.ts';
import { runImport } from './run-import.ts';
import { surveyFile } from './survey-file.ts';

const column = (name: string, type: ColumnType, more: Partial<ColumnDescription> = {}) =>
  ({
    name,
    type,
    nativeType: type,
    nullable: true,
    inKey: false,
    operators: [],
    ...more,
  }) as ColumnDescription;

const table: TableDescription = {
  name: 'Pet',
  kind: 'collection',
  key: ['uuid'],
  columns: [
    column('uuid', 'uuid', { inKey: true, nullable: false, readOnly: 'never changes', insertable: true }),
    column('name', 'text'),
    column('age', 'int'),
    column('tags', 'json'),
    column('vector', 'vector', { readOnly: 'The server writes it' }),
  ],
  indexes: [],
  foreignKeys: [],
  exampleQuery: '',
  notes: [],
};
const numbered = {
  ...table,
  key: ['nr'],
  columns: [column('nr', 'int', { inKey: true, nullable: false }), column('name', 'text')],
};

const { signal } = new AbortController();

async function fileOf(content: string | Uint8Array) {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-import-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'file'), content);
  return surveyFile(join(folder, 'file'), { signal });
}

async function run(
  content: string | Uint8Array,
  options: PlanOptions & { answer?: (row: ImportedRow) => string } = {},
) {
  const file = await fileOf(content);
  const sent: ImportedRow[] = [];
  const writer = failedRows(file, reportColumnsOf(table));
  let failed = '';
  const report = await runImport({
    file,
    plan: planImport(file.columns, table, options),
    async send(rows) {
      sent.push(...rows);
      const outcomes = rows.map((row) => {
        const status = options.answer?.(row) ?? 'stored';
        return { id: row.id, status, ...(status !== 'stored' && { problem: 'no' }) };
      });
      return { outcomes } as ImportBatch;
    },
    onFailed(row, failure) {
      failed += writer.row(row, failure);
    },
    signal,
  });
  return { report, values: sent.map(({ values }) => values), failed: failed + writer.end() };
}

test('of two rows with one id and other values, the second fails, and both lines are named', async () => {
  const id = (at: number) => `00000000-0000-4000-8000-00000000000${at}`;
  const file = await fileOf(
    `uuid,name\n${id(1)},Laika\n${id(2)},Ham\n${id(1)},Laika\n${id(2)},Sam\n${id(2)},\n`,
  );
  const move = async (answer: 'existing' | 'replaced' | null) => {
    const there = new Set<unknown>();
    const problems: string[] = [];
    const report = await runImport({
      file,
      plan: planImport(file.columns, table),
      send:
        answer &&
        (async (rows) => ({
          outcomes: rows.map(({ id, values }) => {
            const status = there.has(values.uuid) ? answer : 'stored';
            there.add(values.uuid);
            return { id, status };
          }),
        })),
      onFailed: (row, { problem }) => void problems.push(`${row.line}: ${problem}`),
      signal,
    });
    return { report, problems };
  };
  const inFile = [5, 6].map(
    (line) => `${line}: Line 3 has the same id and other values. One id can have only one row`,
  );
  expect(await move('existing')).toMatchObject({
    report: { stored: 2, existing: 1, failed: 2 },
    problems: inFile,
  });
  expect(await move(null)).toMatchObject({ report: { failed: 2 }, problems: inFile });
  expect((await move('replaced')).report).toMatchObject({
    replaced: 3,
    failed: 0,
    warnings: { rows: 2, first: { line: 5, problem: 'This row replaced the row at line 3' } },
  });
});

test('rows with a warning count as stored, and the report names the first of them', async () => {
  const file = await fileOf('name\nLaika\nHam\nSam\n');
  const failed: number[] = [];
  const report = await runImport({
    file,
    plan: planImport(file.columns, table),
    send: async (rows) => ({
      outcomes: rows.map(({ id, values }) => ({
        id,
        status: 'stored',
        ...(values.name !== 'Laika' && { problem: `no index for ${values.name}` }),
      })),
    }),
    onFailed: ({ line }) => void failed.push(line),
    signal,
  });
  expect(report).toMatchObject({
    stored: 3,
    failed: 0,
    warnings: { rows: 2, first: { line: 3, problem: 'no index for Ham' } },
  });
  expect(failed).toEqual([]);
});

test('columns are matched by name, values get the type of their column, and a row that does not fit is left out', async () => {
  const { report, values, failed } = await run(
    'ID,Name,AGE,tags\n' +
      '11111111-1111-4111-8111-111111111111,Laika,3,"[""dog""]"\n' +
      '22222222-2222-4222-8222-222222222222,Ham,old,\n' +
      'x,"Félicette, cat",,\n',
  );
  expect(values).toEqual([
    { uuid: '11111111-1111-4111-8111-111111111111', name: 'Laika', age: 3, tags: ['dog'] },
  ]);
  expect(report).toEqual({
    rows: 3,
    stored: 1,
    replaced: 0,
    existing: 0,
    failed: 2,
    unknown: 0,
    ended: 'complete',
  });
  expect(failed.split('\r\n')).toEqual([
    'trestle_line,trestle_error,trestle_id,ID,Name,AGE,tags',
    '3,age: Expected a whole number such as 42,,22222222-2222-4222-8222-222222222222,Ham,old,',
    '4,uuid: Expected a uuid such as 6f1c2b0e-8d4a-4c53-9d0f-2f7a2f1f9a10,,x,"Félicette, cat",,',
    '',
  ]);
});

test.each(['constructor', '__proto__', 'years'])(
  'the check names the column %s and its first misfit',
  async (name) => {
    const file = await fileOf(`name,${name}\nLaika,3\nHam,old\nSam,older\n`);
    const plan = planImport(file.columns, table, { map: Object.fromEntries([[name, 'age']]) });
    const { columns, ...others } = await checkFile(file, plan, { signal });
    expect(others).toEqual({ fit: 1, rows: { count: 0 } });
    expect(Object.entries(columns)).toEqual([
      [name, { count: 2, first: { line: 3, problem: 'Expected a whole number such as 42' } }],
    ]);
  },
);

test.each([600, 990, 1_000, 3_000, 100_000])(
  'a value of %i nested levels fails its own row only',
  async (levels) => {
    const deep = '['.repeat(levels) + ']'.repeat(levels);
    const { report, values } = await run(`{"name": "a", "tags": ${deep}}\n{"name": "b", "tags": [1]}\n`);
    expect(report).toMatchObject({ stored: 1, failed: 1, ended: 'complete' });
    expect(values).toMatchObject([{ name: 'b', tags: [1] }]);
  },
);

test('a row without an id gets the same id in every run, and keeps it in the report of failed rows', async () => {
  const content = '{"name": "a"}\n{"name": "b"}\n';
  const first = await run(content);
  const second = await run(content, {
    answer: ({ values }) => (values.name === 'a' ? 'failed' : 'existing'),
  });
  expect(second.values).toEqual(first.values);
  expect(new Set(first.values.map(({ uuid }) => uuid)).size).toBe(2);
  expect(second.report).toMatchObject({ failed: 1, existing: 1 });
  const again = await run(second.failed);
  expect(again.values).toEqual([first.values[0]]);
  const other = await run('{"name": "a"}\n');
  expect(other.values[0]!.uuid).not.toBe(first.values[0]!.uuid);
});

test.each(['csv', 'json', 'jsonl'])(
  'a %s report of failed rows can be imported, and so can the report of that import',
  async (format) => {
    const rows = [
      { name: 'x, "y"\nz', age: 1 },
      { name: '', age: 2 },
    ];
    const content = {
      csv: 'name;age\n"x, ""y""\nz";1\n"";2\n',
      json: JSON.stringify(rows),
      jsonl: rows.map((row) => JSON.stringify(row)).join('\n'),
    }[format]!;
    const first = await run(content, { answer: () => 'failed' });
    const second = await run(first.failed, { answer: () => 'unknown' });
    const third = await run(second.failed);
    expect(third.values).toEqual(first.values);
    expect(third.values).toMatchObject(rows);
    expect(second.report).toMatchObject({ failed: 0, unknown: 2 });
  },
);

test('UTF-8 and UTF-16 with a byte order mark are read; other bytes and an empty file are refused', async () => {
  const text = 'name\nFélicette\n';
  expect((await run(`\ufeff${text}`)).values).toMatchObject([{ name: 'Félicette' }]);
  expect((await run(Buffer.from(`\ufeff${text}`, 'utf16le'))).values).toMatchObject([{ name: 'Félicette' }]);
  await expect(fileOf(Buffer.from(text, 'latin1'))).rejects.toThrow('is not UTF-8 text');
  await expect(fileOf(Buffer.from('\ufeffname\nRex\n\0', 'utf16le').subarray(0, -1))).rejects.toThrow(
    'is not UTF-16 text',
  );
  await expect(fileOf(' \n')).rejects.toThrow('is empty');
});

test.each([
  [['naem'], {}, 'Pet has no column "naem" for the column "naem" of the file'],
  [['vector'], {}, 'vector cannot be written: The server writes it'],
  [['name', 'NAME'], {}, 'Both "name" and "NAME" of the file go into name'],
  [['name'], { map: { nom: 'name' } }, 'The file has no column "nom"'],
  [['name'], { map: { name: null } }, 'No column of the file goes into Pet'],
])('a file with the columns %j and the options %j is refused', (names, options, message) => {
  expect(() => planImport(names, table, options)).toThrow(message);
});

test('a table with a numeric id takes ids from the file, or new ones on request', () => {
  expect(planImport(['nr', 'name'], numbered).missingId).toBe(null);
  expect(() => planImport(['name'], numbered)).toThrow(
    'The file has no column for nr, the id of a row in Pet',
  );
  expect(planImport(['name'], numbered, { newIds: true }).missingId).toBe('database');
});

test('a key that the database would leave empty takes ids only from the file', () => {
  const unnumbered = { ...numbered, columns: numbered.columns.map((one) => ({ ...one, nullable: true })) };
  expect(planImport(['nr', 'name'], unnumbered, { newIds: true }).missingId).toBe(null);
  expect(() => planImport(['name'], unnumbered, { newIds: true })).toThrow(
    expect.objectContaining({
      message: 'The file has no column for nr, the id of a row in Pet',
      hint: 'Without ids, a second import would add every row again. Name the column with --map "COLUMN=nr".',
    }),
  );
});

test('a cancel takes effect after the running batch, and every row that was sent is counted', async () => {
  const file = await fileOf(Array.from({ length: 500 }, (_, row) => `{"age": ${row}}`).join('\n'));
  const cancel = new AbortController();
  let sent = 0;
  const report = await runImport({
    file,
    plan: planImport(file.columns, table),
    async send(rows) {
      sent += rows.length;
      cancel.abort();
      return { outcomes: rows.map(({ id }) => ({ id, status: 'stored' })) };
    },
    onFailed: () => {},
    signal: cancel.signal,
  });
  expect(sent).toBeLessThan(500);
  expect(report).toMatchObject({ rows: 500, stored: sent, ended: 'cancelled' });
});

test('if the file of failed rows cannot be written, the import stops and every row that was sent is counted', async () => {
  const file = await fileOf(Array.from({ length: 2_000 }, (_, row) => `{"age": ${row}}`).join('\n'));
  let sent = 0;
  const failed: number[] = [];
  const calls: string[] = [];
  const report = await runImport({
    file,
    plan: planImport(file.columns, table),
    async send(rows) {
      sent += rows.length;
      return { outcomes: rows.map(({ id }) => ({ id, status: 'failed', problem: 'no' })) };
    },
    onFailed: ({ line }) => void failed.push(line),
    failedFile: {
      async write() {
        calls.push('write');
        throw new Error('ENOSPC: no space left on device');
      },
      close: async () => void calls.push('close'),
    },
    signal,
  });
  expect(sent).toBeLessThan(2_000);
  expect(failed).toHaveLength(sent);
  expect(calls).toEqual(['write', 'close']);
  const message = 'The failed rows could not be written: ENOSPC: no space left on device';
  expect(report).toMatchObject({
    failed: sent,
    ended: 'stopped',
    error: { code: 'storage_failed', message },
  });
});

test('a file that changed after its survey is not sent', async () => {
  const file = await fileOf('name,age\nRex,3\n');
  writeFileSync(file.path, 'name,age\nRex,3\nMia,4\n');
  const sent: ImportedRow[] = [];
  const report = await runImport({
    file,
    plan: planImport(file.columns, table, {}),
    send: async (rows) => {
      sent.push(...rows);
      return { outcomes: [] };
    },
    onFailed() {},
    signal,
  });
  expect(report).toMatchObject({ ended: 'stopped', stored: 0, error: { code: 'invalid_argument' } });
  expect(report.error?.message).toMatch(/was changed while it was imported$/);
  expect(sent).toEqual([]);
});

test('if the file is overwritten with invalid JSON during the import, the rows that were sent are counted', async () => {
  const row = JSON.stringify({ name: 'x'.repeat(2_000) });
  const file = await fileOf(`[${Array.from({ length: 1_000 }, () => row).join(',\n')}]`);
  let sent = 0;
  const report = await runImport({
    file,
    plan: planImport(file.columns, table),
    async send(rows) {
      if (sent === 0) writeFileSync(file.path, ']'.repeat(2_000_000));
      sent += rows.length;
      return { outcomes: rows.map(({ id }) => ({ id, status: 'stored' })) };
    },
    onFailed() {},
    signal,
  });
  expect(sent).toBeGreaterThan(0);
  expect(report).toMatchObject({ ended: 'stopped', stored: sent });
  expect(report.error?.message).toMatch(/was changed while it was imported$/);
});

test('the import of a file that was emptied after its survey is not reported as complete', async () => {
  const file = await fileOf('name,age\nRex,3\n');
  writeFileSync(file.path, '');
  const plan = planImport(file.columns, table);
  const report = await runImport({ file, plan, send: null, onFailed() {}, signal });
  expect(report).toMatchObject({ ended: 'stopped', stored: 0, error: { code: 'invalid_argument' } });
});

test.skipIf(process.platform === 'win32')('a pipe is refused: it cannot be read twice', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-import-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(surveyFile(pipe, { signal: AbortSignal.timeout(5_000) })).rejects.toThrow(
    `${pipe} is not a regular file`,
  );
});

test('for a path that cannot be opened, the error says why', async () => {
  const { path } = await fileOf('name\nRex\n');
  await expect(surveyFile(join(path, 'inner'), { signal })).rejects.toThrow('cannot be read: ENOTDIR');
});

test('columns may have the names __proto__ and constructor', async () => {
  const odd = {
    ...table,
    key: ['constructor', 'nr'],
    columns: [column('constructor', 'int'), column('nr', 'int'), column('__proto__', 'text')],
  };
  const file = await fileOf('constructor,nr,__proto__\n1,1,a\n,2,b\n');
  const plan = planImport(file.columns, odd);
  const [whole, keyless] = file.sample.map((row) => fitRow(row, plan, file));
  expect(whole).toMatchObject({ ok: true });
  expect(Object.entries(whole!.ok ? whole!.values : {})).toEqual([
    ['constructor', 1],
    ['nr', 1],
    ['__proto__', 'a'],
  ]);
  expect(keyless).toMatchObject({ ok: false, problem: 'constructor: the row has no id' });
});

test.each([
  ['a;b;c', 'd'],
  ['a|b|c', 'd'],
  ['[x]', '{y'],
])('an exported CSV file with the columns %s and %s is read with the same columns', async (...names) => {
  const writer = textWriter('csv', { columns: names, escapeFormulas: false });
  expect(await fileOf(writer.end())).toMatchObject({ format: 'csv', columns: names });
});

test('the report of failed rows keeps a column whose name has many semicolons', async () => {
  const file = await fileOf('name,"a;b;c;d;e;f;g"\nRex,1\n');
  const report = await fileOf(
    failedRows(file, reportColumnsOf(table)).row(file.sample[0]!, { problem: 'no' }),
  );
  expect(report.columns.slice(3)).toEqual(file.columns);
});
