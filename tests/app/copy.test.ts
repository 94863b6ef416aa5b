import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { createHome, shareApp } from './trestle.ts';

const open = shareApp();

async function begin({ isRunning }: { isRunning: boolean }) {
  const home = isRunning ? await open() : createHome();
  const folder = mkdtempSync(join(home.folder, 'test-'));
  const [one, two] = [join(folder, 'one.db'), join(folder, 'two.db')];
  const database = new DatabaseSync(one);
  database.exec(`
    CREATE TABLE IF NOT EXISTS "fact ""s" (id INTEGER PRIMARY KEY, text TEXT NOT NULL DEFAULT 'x', year INT,
      next INT REFERENCES "fact ""s" (id), double INT GENERATED ALWAYS AS (year * 2));
    INSERT INTO "fact ""s" (id, text, year) WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000)
      SELECT n * 7, 'Zeile ' || n || ' 漢字 🚀', iif(n % 3, n, NULL) FROM c;
    CREATE TABLE pair (a TEXT NOT NULL, b INT NOT NULL, data BLOB, PRIMARY KEY (a, b)) WITHOUT ROWID;
    INSERT INTO pair VALUES ('x', 1, x'00ff'), ('x', 2, NULL), ('y', -5, x'');
    CREATE TABLE named (id TEXT PRIMARY KEY, text TEXT);
    INSERT INTO named VALUES ('b', 'x'), ('a', 'y');
    CREATE TABLE part_named (id TEXT PRIMARY KEY);
    INSERT INTO part_named VALUES ('a'), (NULL);
    CREATE TABLE loose (text TEXT);
    CREATE VIEW seen AS SELECT text FROM loose;`);
  database.close();
  new DatabaseSync(two).close();
  for (const [name, file] of [
    ['One', one],
    ['Two', two],
  ] as const) {
    const add = ['connections', 'add', '--driver', 'sqlite', '--name', name, '--file', file];
    await home.json(...add, '--external-clients', 'readWrite', '--ai-policy', 'alwaysAllow');
  }
  const rows = (file: string, table: string) => {
    const reading = new DatabaseSync(file, { readOnly: true });
    const found = reading.prepare(`SELECT * FROM "${table.replaceAll('"', '""')}" ORDER BY 1, 2`).all();
    reading.close();
    return found.map((row) => ({ ...row }));
  };
  const definition = (file: string, table: string) => {
    const reading = new DatabaseSync(file, { readOnly: true });
    const found = reading.prepare('SELECT * FROM pragma_table_xinfo(?)').all(table);
    reading.close();
    return found.map((row) => ({ ...row }));
  };
  return {
    home,
    one,
    two,
    rows,
    definition,
    copy: (...args: string[]) => home.run(['copy', 'One', ...args]),
  };
}

describe.each([
  ['with the app running', true],
  ['without the app', false],
])('%s', (_name, isRunning) => {
  test('a table of SQLite is copied with its definition and keys, under another name and to another file', async () => {
    const { home, one, two, rows, definition, copy } = await begin({ isRunning });
    expect(await home.json('copy', 'One', 'fact "s', 'facts copy')).toMatchObject({
      copied: 3000,
      inTarget: 3000,
      compared: 50,
      different: [],
      ended: 'complete',
    });
    expect(rows(one, 'facts copy')).toEqual(rows(one, 'fact "s'));
    expect((await copy('pair', 'pair', '--to', 'Two')).code).toBe(0);
    expect(rows(two, 'pair')).toEqual(rows(one, 'pair'));
    expect(definition(one, 'facts copy')).toEqual(definition(one, 'fact "s'));
    expect(definition(two, 'pair')).toEqual(definition(one, 'pair'));
    expect((await copy('named', 'named', '--to', 'Two')).code).toBe(0);
    expect(rows(two, 'named')).toEqual(rows(one, 'named'));

    const database = new DatabaseSync(two);
    database.exec("DELETE FROM pair WHERE b = 2; UPDATE pair SET data = x'aa' WHERE a = 'y'");
    database.close();
    const taken = await copy('pair', 'pair', '--to', 'Two');
    expect([taken.code, taken.stdout]).toEqual([1, expect.stringContaining('pair exists already')]);
    expect(taken.stdout).toContain('Run the same command with --continue');
    const more = await copy('pair', 'pair', '--to', 'Two', '--continue');
    expect([more.code, more.stdout]).toEqual([1, expect.stringContaining('3 compared, 1 differ')]);
    expect(rows(two, 'pair')).toHaveLength(3);
  });
});

test('a table without a key, a view, and an invalid name are refused with the reason', async () => {
  const { copy, one } = await begin({ isRunning: true });
  const loose = await copy('loose', 'other');
  expect([loose.code, loose.stdout]).toEqual([1, expect.stringContaining('The rows of loose have no key')]);
  expect((await copy('part_named', 'other')).stdout).toContain('The rows of part_named have no key');
  expect((await copy('seen', 'other')).stdout).toContain('The rows of seen have no key');
  expect((await copy('pair', '; x')).stdout).toContain('"; x" is not a valid name for a table');
  expect(loose.stdout).not.toContain('--continue');
  for (const flags of [[], ['--continue']]) {
    const { stdout } = await copy('nothere', 'other', ...flags);
    expect(stdout).toContain('There is no table or view "nothere"');
    expect(stdout).not.toContain('Run the same command');
  }
  const database = new DatabaseSync(one);
  database.exec('CREATE TABLE narrow (a TEXT PRIMARY KEY)');
  database.close();
  const narrow = await copy('pair', 'narrow', '--continue');
  expect(narrow.stdout).toContain('narrow is not a copy of pair');
  expect(narrow.stdout).not.toContain('Run the same command');
});
