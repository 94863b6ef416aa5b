import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/test-core.ts';
import { setAsideDamagedRows } from './damaged-rows.ts';
import { migrations } from './migrations.ts';
import { openOrSetAside } from './set-aside.ts';
import { openStorage } from './storage.ts';
import { addConnection } from './testing/damaged-home.ts';

const mode = (path: string) => statSync(path).mode & 0o777;

test('only the owner can read the directory and the files of the database', () => {
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
  const before = readFileSync(path);
  expect(() => openStorage(home)).toThrow(
    expect.objectContaining({
      code: 'storage_failed',
      message: `${path} was written by a newer version of Trestle.`,
    }),
  );
  expect(readFileSync(path).equals(before)).toBe(true);
});

test.each([
  ['text', (path: string) => writeFileSync(path, 'not a database, whatever its name says '.repeat(200))],
  ['a damaged header', (path: string) => damage(path, 0, 100)],
  ['a damaged schema page', (path: string) => damage(path, 100, 1500)],
])('a file with %s counts as damaged, and is set aside unchanged', (_, spoil) => {
  const home = temporaryFolder();
  const path = join(home, 'trestle.db');
  openStorage(home).close();
  spoil(path);
  const before = readFileSync(path);
  expect(() => openStorage(home).all('SELECT * FROM connections')).toThrow(
    expect.objectContaining({ code: 'storage_failed', message: `${path} is damaged and cannot be read.` }),
  );
  expect(readFileSync(path).equals(before)).toBe(true);
  const { storage, setAside } = openOrSetAside(home);
  expect(readFileSync(setAside!.movedTo).equals(before)).toBe(true);
  expect(storage.all('SELECT * FROM connections')).toEqual([]);
  storage.close();
  // The file is set aside once, and reported until its entry in ui_state is removed.
  const again = openOrSetAside(home);
  expect(again.setAside).toEqual(setAside);
  again.storage.close();
});

test('after a run has met damage, the next start sets the file aside and rescues its connection', () => {
  const home = temporaryFolder();
  const path = join(home, 'trestle.db');
  const old = openStorage(home);
  old.run(
    `INSERT INTO connections (id, position, name, driver, fields, stored_secrets, external_clients, ai_policy,
       safe_mode, sample, created_at, updated_at)
     VALUES ('c', 1, 'Mine', 'sqlite', '{}', '[]', 'readWrite', 'alwaysAllow', 'off', 0, '', '')`,
  );
  for (let row = 0; row < 2_000; row++) {
    const text = `SELECT ${row} -- ${'x'.repeat(500)}`;
    old.run(
      "INSERT INTO history (connection_id, caller, text, outcome, duration_ms, at) VALUES ('c', 'person', ?, 'ok', 1, '')",
      text,
    );
  }
  old.close();
  // The last pages belong to the history.
  const { size } = statSync(path);
  damage(path, size - 400_000, size - 200_000);
  const running = openOrSetAside(home);
  expect(running.setAside).toBeNull();
  expect(() => running.storage.all('SELECT * FROM history')).toThrow('is damaged and cannot be read');
  running.storage.close();
  const { storage, setAside } = openOrSetAside(home);
  expect(setAside?.rescued.connections).toBe(1);
  expect(storage.all('SELECT name, external_clients FROM connections')).toEqual([
    { name: 'Mine', external_clients: 'blocked' },
  ]);
  storage.close();
});

test('openOrSetAside refuses a file of a newer version', () => {
  const home = temporaryFolder();
  openStorage(home, [...migrations, 'CREATE TABLE later (a)']).close();
  expect(() => openOrSetAside(home)).toThrow('newer version');
});

test('damaged JSON is set aside, and a token with a damaged allowlist may use no connection', () => {
  const storage = openStorage(temporaryFolder());
  storage.run("INSERT INTO settings VALUES ('theme', 'da'), ('pageSize', '7')");
  storage.run("INSERT INTO window_records (key, value) VALUES ('layout', '{'), ('other', '{}')");
  storage.run(
    `INSERT INTO tokens (id, name, permission, allowlist, hash, created_at)
     VALUES ('t', 'Token', 'readOnly', '[', x'00', ''), ('u', 'All', 'readOnly', NULL, x'00', '')`,
  );
  storage.run("INSERT INTO call_intents (entry) VALUES ('?')");
  addConnection(storage, 'c');
  storage.run(
    `INSERT INTO copies VALUES ('k', 'c', 'a', 'c', 'b', '', '{', NULL, NULL), ('l', 'c', 'a', 'c', 'd', '', '{}', NULL, NULL)`,
  );
  storage.run("INSERT INTO registry VALUES ('known https://drivers.example/', '{'), ('address', 'no JSON')");
  expect(setAsideDamagedRows(storage)).toEqual([
    'setting theme',
    'window record layout',
    'token Token',
    'log entry 1',
    'copy to b',
    'registry https://drivers.example/',
  ]);
  expect(setAsideDamagedRows(storage)).toEqual([]);
  expect(storage.all('SELECT key FROM settings ORDER BY key')).toEqual([
    { key: 'damaged/theme' },
    { key: 'pageSize' },
  ]);
  expect(storage.all('SELECT id, allowlist FROM tokens ORDER BY id')).toEqual([
    { id: 't', allowlist: '[]' },
    { id: 'u', allowlist: null },
  ]);
  expect(storage.get('SELECT count(*) AS n FROM call_intents')).toEqual({ n: 0 });
  expect(storage.all('SELECT id FROM copies')).toEqual([{ id: 'l' }]);
  expect(storage.all('SELECT key FROM registry')).toEqual([{ key: 'address' }]);
  storage.close();
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

test('an older file is brought up to date and keeps its rows', () => {
  const home = temporaryFolder();
  const old = openStorage(home);
  old.run("INSERT INTO ui_state (key, value) VALUES ('a', '1')");
  old.close();
  const storage = openStorage(home, [...migrations, 'ALTER TABLE ui_state ADD COLUMN more TEXT']);
  expect(storage.all('SELECT * FROM ui_state')).toEqual([{ key: 'a', value: '1', more: null }]);
  storage.close();
});

test('two handles on one file can both write, and the first sees the row of the second', () => {
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
