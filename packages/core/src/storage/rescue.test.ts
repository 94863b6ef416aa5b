import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../testing/test-core.ts';
import { migrations } from './migrations.ts';
import { leftTables, rescuedTables } from './rescued-tables.ts';
import { openOrSetAside } from './set-aside.ts';
import { openStorage, Storage } from './storage.ts';
import {
  addConnection,
  connectionIds,
  contents,
  makeDamagedHome,
  spoilTable,
  tableNames,
} from './testing/damaged-home.ts';

function damagedHome(): string {
  const home = temporaryFolder();
  makeDamagedHome(home, temporaryFolder());
  return home;
}

function open(home: string) {
  const opened = openOrSetAside(home);
  onTestFinished(() => opened.storage.close());
  return opened;
}

test('every table of the schema is in rescuedTables or in leftTables', () => {
  const storage = openStorage(temporaryFolder());
  const decided = [...rescuedTables.map(({ name }) => name), ...Object.keys(leftTables)].sort();
  expect(decided, 'Add a new table to rescued-tables.ts').toEqual(tableNames(storage));
  storage.close();
});

test('a rescue takes over every table that is not in leftTables, and blocks external clients on each connection', () => {
  const { storage, setAside } = open(damagedHome());
  const found = contents(storage);
  const empty = Object.entries(found).flatMap(([name, rows]) => (rows.length === 0 ? [name] : []));
  expect(empty.sort()).toEqual([
    'activity_keys',
    'activity_start',
    'endpoint_approvals',
    'kept_maps',
    'tokens',
  ]);
  expect(setAside?.rescued).toEqual({ connections: 3, lost: [] });
  expect(storage.all('SELECT id, external_clients, ai_policy FROM connections ORDER BY id')).toEqual(
    connectionIds.map((id) => ({ id, external_clients: 'blocked', ai_policy: 'alwaysAllow' })),
  );
  expect(found.save_rows).toMatchObject([{ save_id: 's', change_id: 'row', outcome: null }]);
  expect(found.removals).toMatchObject([{ kind: 'history', entries: 3 }]);
  expect(found.activity).toMatchObject([{ id: 1, action: 'begin_log', hash: null }]);
});

test('after a rescue, the version of a deleted window record is not used again', () => {
  const { storage } = open(damagedHome());
  storage.run("DELETE FROM window_records WHERE key <> 'layout'");
  const { lastInsertRowid } = storage.run("INSERT INTO window_records (key, value) VALUES ('new', '1')");
  expect(lastInsertRowid).toBe(4);
});

test('each start reports a rescue until its entry in ui_state is removed', () => {
  const home = damagedHome();
  const first = openOrSetAside(home);
  first.storage.close();
  const second = open(home);
  expect(second.setAside).toEqual(first.setAside);
  expect(existsSync(second.setAside!.movedTo)).toBe(true);
  second.storage.run("DELETE FROM ui_state WHERE key = 'set-aside'");
  expect(open(home).setAside).toBeNull();
});

test('rows behind a damaged page are taken over too, and a number that is too large does not end the reading', () => {
  const home = temporaryFolder();
  const storage = openStorage(home);
  addConnection(storage, 'c1');
  const filler = 'x'.repeat(500);
  for (let row = 0; row < 400; row++) {
    storage.run(
      "INSERT INTO history (connection_id, caller, text, outcome, rows, duration_ms, at) VALUES ('c1', ?, ?, 'ok', ?, 1, '')",
      row === 200 ? 'damage me' : 'person',
      filler,
      row === 10 ? 2n ** 60n : 1,
    );
  }
  storage.close();
  const path = join(home, 'trestle.db');
  const bytes = readFileSync(path);
  const page = Math.floor(bytes.indexOf('damage me') / 4096) * 4096;
  bytes.fill(0xa5, page, page + 4096);
  writeFileSync(path, bytes);
  writeFileSync(`${path}.check`, '');
  const { storage: rescued, setAside } = open(home);
  expect(setAside?.rescued).toEqual({ connections: 1, lost: ['history'] });
  const { first, last, count } = rescued.get(
    'SELECT min(id) AS first, max(id) AS last, count(*) AS count FROM history',
  )!;
  expect([first, last]).toEqual([1, 400]);
  expect(count).toBeGreaterThan(380);
});

test('if the disk is full, the rescue leaves no new file, and the next start can repeat the rescue', () => {
  const home = damagedHome();
  const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
  const run = Storage.prototype.run;
  const spy = vi.spyOn(Storage.prototype, 'run').mockImplementation(function (this: Storage, sql, ...values) {
    if (sql.startsWith('INSERT INTO saves')) throw full;
    return run.call(this, sql, ...values);
  });
  onTestFinished(() => void spy.mockRestore());
  expect(() => openOrSetAside(home)).toThrow('disk is full');
  expect(readdirSync(home).filter((name) => !/^trestle\.db(-wal|-shm|\.check)?$/.test(name))).toEqual([]);
  spy.mockRestore();
  expect(open(home).setAside?.rescued.connections).toBe(3);
});

test('a rescue replaces an invalid level by the strictest', () => {
  const home = damagedHome();
  const old = openStorage(home);
  old.run("UPDATE connections SET ai_policy = 'alwaysXllow', safe_mode = '' WHERE id = 'c1'");
  old.close();
  const { storage } = open(home);
  expect(storage.get("SELECT ai_policy, safe_mode FROM connections WHERE id = 'c1'")).toEqual({
    ai_policy: 'never',
    safe_mode: 'readOnly',
  });
});

test('a damaged file of an older version is rescued and then brought up to date', () => {
  const home = temporaryFolder();
  const old = openStorage(home, migrations.slice(0, 3));
  addConnection(old, 'c1');
  old.run("INSERT INTO ui_state (key, value) VALUES ('workspace', '{\"open\":[]}')");
  old.close();
  const path = join(home, 'trestle.db');
  const spoiled = openStorage(home, migrations.slice(0, 3));
  const root = Number(spoiled.get("SELECT rootpage FROM sqlite_schema WHERE name = 'tokens'")?.rootpage);
  spoiled.close();
  const bytes = readFileSync(path);
  bytes.fill(0xa5, (root - 1) * 4096, root * 4096);
  writeFileSync(path, bytes);
  const { storage, setAside } = open(home);
  expect(setAside?.rescued.connections).toBe(1);
  expect(storage.all('SELECT key, value FROM window_records')).toEqual([
    { key: 'workspace', value: '{"open":[]}' },
  ]);
});

test('if the app is killed before the new file is in place, the next start keeps the -wal with the damaged file', () => {
  const home = damagedHome();
  const path = join(home, 'trestle.db');
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, `${path}.kept${suffix}`);
  const first = openOrSetAside(home);
  const expected = contents(first.storage);
  first.storage.close();
  // The state after a kill when the new file was complete, but not yet in its place.
  const { movedTo } = first.setAside!;
  copyFileSync(path, movedTo.replace('.damaged-', '.rescued-'));
  for (const suffix of ['', '-wal']) copyFileSync(`${path}.kept${suffix}`, path + suffix);
  const { storage, setAside } = open(home);
  expect(contents(storage)).toEqual(expected);
  expect(setAside).toEqual(first.setAside);
  // The damaged file of the first rescue still exists, so the second damaged file gets a name of its own.
  const asides = readdirSync(home).filter((name) => name.includes('.damaged-'));
  expect(asides.filter((name) => !/-(wal|shm)$/.test(name))).toHaveLength(2);
  const wals = asides.filter((name) => name.endsWith('-wal') && statSync(join(home, name)).size > 0);
  expect(wals).toHaveLength(1);
});

test('an empty file is set aside with its -wal, and reported', () => {
  const home = damagedHome();
  const path = join(home, 'trestle.db');
  const wal = readFileSync(`${path}-wal`);
  writeFileSync(path, '');
  const { storage, setAside } = open(home);
  expect(setAside?.rescued.connections).toBe(0);
  expect(setAside?.rescued.lost).toContain('connections');
  expect(storage.all('SELECT * FROM connections')).toEqual([]);
  expect(readFileSync(`${setAside!.movedTo}-wal`).equals(wal)).toBe(true);
});

test('an empty file without a -wal is not damage: a first start that was killed may leave such a file', () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'trestle.db'), '');
  const { storage, setAside } = open(home);
  expect(setAside).toBeNull();
  addConnection(storage, 'c1');
  expect(readdirSync(home).filter((name) => name.includes('damaged'))).toEqual([]);
});

test('a start of the app reads the last row of the activity log, so it finds damage in that page', () => {
  const home = temporaryFolder();
  const old = openStorage(home);
  old.run("INSERT INTO activity (at, action, outcome) VALUES ('', 'query', 'ok')");
  old.giveBack();
  spoilTable(old, join(home, 'trestle.db'), 'activity');
  old.close();
  expect(open(home).setAside).not.toBeNull();
});

test('a damaged index is built again, and the file is not set aside', () => {
  const home = temporaryFolder();
  const old = openStorage(home);
  addConnection(old, 'c1');
  old.run(
    "INSERT INTO history (connection_id, caller, text, outcome, duration_ms, at) VALUES ('c1', 'person', 'SELECT 1', 'ok', 1, '')",
  );
  const root = Number(
    old.get("SELECT rootpage FROM sqlite_schema WHERE name = 'history_by_connection'")?.rootpage,
  );
  old.close();
  const path = join(home, 'trestle.db');
  const bytes = readFileSync(path);
  // The index has one entry. Its key gets another value of the same length, so the page looks sound.
  const at = bytes.indexOf('c1', (root - 1) * 4096);
  bytes.write('zz', at);
  writeFileSync(path, bytes);
  writeFileSync(`${path}.check`, '');
  const { storage, setAside } = open(home);
  expect(setAside).toBeNull();
  expect(storage.all("SELECT text FROM history WHERE connection_id = 'c1' ORDER BY id")).toEqual([
    { text: 'SELECT 1' },
  ]);
  expect(existsSync(`${path}.check`)).toBe(false);
});
