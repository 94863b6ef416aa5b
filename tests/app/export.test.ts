import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { createHome, shareApp } from './trestle.ts';

const open = shareApp();

const schema = (name: string) =>
  `CREATE TABLE ${name} (id INTEGER PRIMARY KEY, text TEXT, year INT, share REAL, data BLOB)`;

async function begin({ isRunning, more = [] }: { isRunning: boolean; more?: string[] }) {
  const home = isRunning ? await open() : createHome();
  const folder = mkdtempSync(join(home.folder, 'test-'));
  const file = join(folder, 'facts.db');
  const database = new DatabaseSync(file);
  database.exec(`${schema('fact')}; ${schema('again')}`);
  const insert = database.prepare('INSERT INTO fact VALUES (?, ?, ?, ?, ?)');
  insert.setReadBigInts(true);
  insert.run(1, 'plain', 1957, 0.1, new Uint8Array([0, 255]));
  insert.run(2, '', null, -1e300, null);
  insert.run(3, null, -5, null, null);
  insert.run(9007199254740993n, '漢字 🚀 "quoted",\r\nline ', 1969, 3, null);
  insert.run(5, '=1+1', 1, 2.5, null);
  database.close();
  const add = ['connections', 'add', '--driver', 'sqlite', '--name', 'Facts', '--file', file];
  await home.json(...add, '--external-clients', 'readWrite', '--ai-policy', 'alwaysAllow', ...more);
  const rows = (table: string) => {
    const reading = new DatabaseSync(file, { readOnly: true });
    const statement = reading.prepare(`SELECT * FROM ${table} ORDER BY 1`);
    statement.setReadBigInts(true);
    const found = statement.all().map((row) => ({ ...row }));
    reading.close();
    return found;
  };
  const out = (name: string) => join(folder, name);
  return { home, folder, rows, out, take: (...args: string[]) => home.run(['export', 'Facts', ...args]) };
}

describe.each([
  ['with the app running', true],
  ['without the app', false],
])('%s', (_name, isRunning) => {
  test('an exported file in each text format gives the same rows when it is imported', async () => {
    const { home, folder, rows, out, take } = await begin({ isRunning });
    for (const ending of ['csv', 'json', 'jsonl']) {
      const file = out(`fact.${ending}`);
      const { code, stdout, stderr } = await take('fact', '--out', file);
      expect([code, stderr, stdout]).toEqual([
        0,
        '',
        expect.stringMatching(/^fact: 5 rows in .* bytes\)\.\n$/),
      ]);
      expect((await home.run(['import', 'Facts', 'again', file])).stdout).toBe('again: 5 stored (5 rows).\n');
      expect(rows('again')).toEqual(rows('fact'));
      new DatabaseSync(join(folder, 'facts.db')).exec('DELETE FROM again');
    }
  });

  test('a Parquet file has the values with their types', async () => {
    const { out, take } = await begin({ isRunning });
    expect((await take('fact', '--out', out('fact.parquet'))).code).toBe(0);
    const bytes = readFileSync(out('fact.parquet'));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    const read = await parquetReadObjects({ file, utf8: false });
    expect(read.map(({ id, text, year }) => [id, text ?? null, year ?? null])).toEqual([
      [1n, 'plain', 1957n],
      [2n, '', null],
      [3n, null, -5n],
      [5n, '=1+1', 1n],
      [9007199254740993n, '漢字 🚀 "quoted",\r\nline ', 1969n],
    ]);
    expect(read[0]).toMatchObject({ share: 0.1, data: new Uint8Array([0, 255]) });
  });

  test('rows, columns and order are as requested, on the standard output', async () => {
    const { take } = await begin({ isRunning });
    const filter = JSON.stringify([{ column: 'year', operator: 'greater_than', value: 0 }]);
    const { code, stdout } = await take(
      ...[
        'fact',
        '--out',
        '-',
        '--format',
        'csv',
        '--filter',
        filter,
        '--sort=-year',
        '--columns',
        'year,text',
      ],
    );
    expect(code).toBe(0);
    expect(stdout).toBe('year,text\r\n1969,"漢字 🚀 ""quoted"",\r\nline "\r\n1957,plain\r\n1,=1+1\r\n');
  });

  test('with --escape-formulas, text of a CSV file that a spreadsheet would run gets an apostrophe', async () => {
    const { take } = await begin({ isRunning });
    const { stdout } = await take(
      ...['fact', '--out', '-', '--format', 'csv', '--escape-formulas', '--columns', 'year,text'],
    );
    expect(stdout).toContain('\r\n-5,\r\n');
    expect(stdout).toContain("\r\n1,'=1+1\r\n");
    const { code, stderr } = await take('fact', '--out', '-', '--format', 'json', '--escape-formulas');
    expect([code, stderr]).toEqual([1, expect.stringContaining('--escape-formulas needs the format csv.')]);
  });
});

test('an export from a connection with Ask Each Time, Never or Blocked needs the passphrase', async () => {
  for (const more of [
    ['--ai-policy', 'askEachTime'],
    ['--ai-policy', 'never'],
    ['--external-clients', 'blocked'],
  ]) {
    const { out, take } = await begin({ isRunning: false, more });
    const { code, stderr } = await take('fact', '--out', out('fact.csv'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('needs the administrator passphrase')]);
    expect(existsSync(out('fact.csv'))).toBe(false);
  }
});

test('an existing file is replaced only on request, and a failed export leaves no partial file', async () => {
  const { folder, out, take } = await begin({ isRunning: true });
  writeFileSync(out('fact.csv'), 'mine');
  const refused = await take('fact', '--out', out('fact.csv'));
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('exists already')]);
  expect(readFileSync(out('fact.csv'), 'utf8')).toBe('mine');
  expect((await take('fact', '--out', out('fact.csv'), '--replace')).code).toBe(0);
  expect(readFileSync(out('fact.csv'), 'utf8')).toMatch(/^id,text,year/);

  new DatabaseSync(join(folder, 'facts.db')).exec("UPDATE fact SET year = 'soon' WHERE id = 5");
  const odd = await take('fact', '--out', out('odd.parquet'));
  expect([odd.code, odd.stderr]).toEqual([0, expect.stringMatching(/year/)]);
  expect((await take('nothing', '--out', out('part.csv'))).code).toBe(1);
  expect(readdirSync(folder).filter((name) => /part/.test(name))).toEqual([]);
  expect((await take('fact')).stderr).toContain('--out must name the file');
  expect((await take('fact', '--out', out('fact.xls'))).stderr).toContain('Name the format');
});

test('a value of many megabytes is exported without a cut', async () => {
  const { folder, out, take } = await begin({ isRunning: true });
  new DatabaseSync(join(folder, 'facts.db')).exec(
    "INSERT INTO fact (id, text) VALUES (100, replace(hex(zeroblob(10000000)), '0', 'x'))",
  );
  const { code, stderr } = await take('fact', '--out', out('fact.jsonl'));
  expect([code, stderr]).toEqual([0, '']);
  const lines = readFileSync(out('fact.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line)).find(({ id }) => id === 100).text).toHaveLength(20_000_000);
});
