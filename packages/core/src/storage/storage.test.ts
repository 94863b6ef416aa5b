import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/test-core.ts';
import { migrations } from './migrations.ts';
import { openStorage } from './storage.ts';

const mode = (path: string) => statSync(path).mode & 0o777;

test('the directory and every file of the database belong to the owner alone', () => {
  const home = join(temporaryFolder(), 'home');
  const storage = openStorage(home);
  storage.run("INSERT INTO ui_state (key, value) VALUES ('a', '1')");
  expect([
    mode(home),
    ...['trestle.db', 'trestle.db-wal', 'trestle.db-shm'].map((name) => mode(join(home, name))),
  ]).toEqual([0o700, 0o600, 0o600, 0o600]);
  storage.close();
});

test('a file of a newer version is refused and left alone', () => {
  const home = temporaryFolder();
  openStorage(home).close();
  const path = join(home, 'trestle.db');
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA user_version = ${migrations.length + 1}`);
  database.close();
  expect(() => openStorage(home)).toThrow(
    expect.objectContaining({
      code: 'storage_failed',
      message: `${path} was written by a newer version of Trestle.`,
    }),
  );
});

test.each([
  ['text', (path: string) => writeFileSync(path, 'not a database, whatever its name says '.repeat(200))],
  ['a damaged header', (path: string) => damage(path, 0, 100)],
  ['a damaged schema page', (path: string) => damage(path, 100, 1500)],
])('a file that holds %s is called damaged and left as it is', (_, spoil) => {
  const home = temporaryFolder();
  const path = join(home, 'trestle.db');
  openStorage(home).close();
  spoil(path);
  const before = readFileSync(path);
  expect(() => openStorage(home).all('SELECT * FROM connections')).toThrow(
    expect.objectContaining({ code: 'storage_failed', message: `${path} is damaged and cannot be read.` }),
  );
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('a failed migration leaves the previous version intact', () => {
  const home = temporaryFolder();
  openStorage(home).close();
  const failing = [...migrations, 'CREATE TABLE half (a); INSERT INTO missing VALUES (1)'];
  expect(() => openStorage(home, failing)).toThrow(expect.objectContaining({ code: 'storage_failed' }));
  const storage = openStorage(home);
  expect(storage.all("SELECT name FROM sqlite_master WHERE name = 'half'")).toEqual([]);
  storage.close();
});

test('an older file is brought up to date with its rows', () => {
  const home = temporaryFolder();
  const old = openStorage(home);
  old.run("INSERT INTO ui_state (key, value) VALUES ('a', '1')");
  old.close();
  const storage = openStorage(home, [...migrations, 'ALTER TABLE ui_state ADD COLUMN more TEXT']);
  expect(storage.all('SELECT * FROM ui_state')).toEqual([{ key: 'a', value: '1', more: null }]);
  storage.close();
});

test('a copy opened twice waits for the other instead of failing', () => {
  const home = temporaryFolder();
  const [one, two] = [openStorage(home), openStorage(home)];
  one.run("INSERT INTO ui_state (key, value) VALUES ('a', '1')");
  two.run("INSERT INTO ui_state (key, value) VALUES ('b', '2')");
  expect(one.all('SELECT key FROM ui_state ORDER BY key').map(({ key }) => key)).toEqual(['a', 'b']);
  one.close();
  two.close();
});

function damage(path: string, from: number, to: number): void {
  copyFileSync(path, `${path}.good`);
  const bytes = readFileSync(path);
  bytes.fill(0xa5, from, to);
  writeFileSync(path, bytes);
}
