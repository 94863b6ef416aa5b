import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { atTerminal, hasTerminal } from './terminal.ts';
import { createHome, shareApp } from './trestle.ts';

const open = shareApp();

async function begin({ isRunning, level = [] }: { isRunning: boolean; level?: string[] }) {
  const home = isRunning ? await open() : createHome();
  const folder = mkdtempSync(join(home.folder, 'test-'));
  const file = join(folder, 'facts.db');
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE fact (id INTEGER PRIMARY KEY, text TEXT CHECK (text <> ''), year INT)");
  database.exec('CREATE INDEX fact_year ON fact (year)');
  database.close();
  const levels = level.length > 0 ? level : ['--external-clients', 'readWrite', '--ai-policy', 'alwaysAllow'];
  await home.json('connections', 'add', '--driver', 'sqlite', '--name', 'Facts', '--file', file, ...levels);
  const write = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const read = (text: string) => {
    const reading = new DatabaseSync(file, { readOnly: true });
    const found = reading.prepare(text).all();
    reading.close();
    return found.map((row) => ({ ...row }));
  };
  const tables = () =>
    read("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").map(({ name }) => name);
  return {
    home,
    folder,
    write,
    read,
    tables,
    create: (...args: string[]) => home.run(['tables', 'create', 'Facts', ...args]),
  };
}

const csv = 'name,born,rate,zip\nAda,1815,1.5,00123\nGrace,1906,2,04567\n';

describe.each([
  ['with the app running', true],
  ['without the app', false],
])('%s', (_name, isRunning) => {
  test('a table is created like another, from a definition and for a file', async () => {
    const { home, write, read, create } = await begin({ isRunning });
    const like = await create('like', '--like', 'fact');
    expect(like).toMatchObject({ code: 0, stderr: '' });
    expect(like.stdout).toContain('CREATE TABLE "like" (id INTEGER PRIMARY KEY');
    expect(read("SELECT sql FROM sqlite_schema WHERE tbl_name = 'like' AND sql IS NOT NULL")).toEqual([
      { sql: expect.stringContaining("CHECK (text <> '')") },
      { sql: expect.stringContaining('like_year') },
    ]);
    const definition = write('given.sql', 'CREATE TABLE given (a TEXT PRIMARY KEY, b REAL NOT NULL);');
    expect(await home.json('tables', 'create', 'Facts', 'from', '--from', definition)).toEqual({
      statements: ['CREATE TABLE "from" (a TEXT PRIMARY KEY, b REAL NOT NULL);'],
      notes: [],
      dryRun: false,
    });
    const made = await create('people', '--from-file', write('people.csv', csv));
    expect(made.stdout).toContain('zip → zip (text). Its digits start with 0, so they stay text.');
    expect(read("SELECT name, type, pk FROM pragma_table_info('people')")).toEqual([
      { name: 'id', type: 'TEXT', pk: 1 },
      { name: 'name', type: 'TEXT', pk: 0 },
      { name: 'born', type: 'INTEGER', pk: 0 },
      { name: 'rate', type: 'REAL', pk: 0 },
      { name: 'zip', type: 'TEXT', pk: 0 },
    ]);
  });

  test('an import creates the table, with the names that the user gives', async () => {
    const { home, write, read, tables } = await begin({ isRunning });
    const file = write('people.csv', csv);
    const bring = (...more: string[]) => home.run(['import', 'Facts', 'people', file, '--create', ...more]);
    const dry = await bring('--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: 'Nothing was sent.\n' });
    expect(dry.stderr).toContain('CREATE TABLE people (');
    expect(tables()).toEqual(['fact']);
    const ran = await bring('--map', 'born=year', '--map', 'zip=');
    expect(ran).toMatchObject({ code: 0, stdout: 'people: 2 stored (2 rows).\n' });
    expect(read('SELECT name, year, rate FROM people ORDER BY year')).toEqual([
      { name: 'Ada', year: 1815, rate: 1.5 },
      { name: 'Grace', year: 1906, rate: 2 },
    ]);
    const again = await bring();
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('The table people exists already');
    expect(read('SELECT count(*) AS rows FROM people')).toEqual([{ rows: 2 }]);
  });

  test('a program creates no table where AI clients may not write freely, and reads no definition there', async () => {
    const { tables, create } = await begin({ isRunning, level: ['--external-clients', 'readOnly'] });
    const { code, stdout, stderr } = await create('other', '--like', 'fact');
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('Designing tables on a connection that is masked, blocked, read-only');
    expect(tables()).toEqual(['fact']);
  });

  test('Safe Mode Read Only creates nothing', async () => {
    const safe = ['--safe-mode', 'readOnly', '--external-clients', 'readWrite', '--ai-policy', 'alwaysAllow'];
    const { tables, create } = await begin({ isRunning, level: safe });
    const { code, stderr } = await create('other', '--like', 'fact');
    expect(code).toBe(1);
    expect(stderr).toContain('its Safe Mode is Read Only');
    expect(tables()).toEqual(['fact']);
  });
});

test.runIf(hasTerminal)('Safe Mode Confirm asks at the terminal, and no answer is a no', async () => {
  const level = ['--safe-mode', 'confirm', '--external-clients', 'readWrite', '--ai-policy', 'alwaysAllow'];
  const { home, tables, create } = await begin({ isRunning: false, level });
  expect(await create('other', '--like', 'fact')).toMatchObject({
    code: 1,
    stderr: 'The table was not created.\n',
  });
  expect(tables()).toEqual(['fact']);
  const { code } = await atTerminal(
    home.folder,
    ['tables', 'create', 'Facts', 'other', '--like', 'fact'],
    [['Create other on "Facts"? [y/N] ', 'y']],
  );
  expect(code).toBe(0);
  expect(tables()).toEqual(['fact', 'other']);
});
