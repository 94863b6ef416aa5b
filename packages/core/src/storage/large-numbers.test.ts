import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../testing/test-core.ts';
import { openOrSetAside } from './set-aside.ts';
import { openStorage, type Storage } from './storage.ts';
import { addConnection } from './testing/damaged-home.ts';

/** A stored number after one of its bits has changed. It is beyond JavaScript's safe integers. */
const large = 2n ** 60n;

function filledHome(spoil: (storage: Storage) => void): string {
  const home = temporaryFolder();
  const storage = openStorage(home);
  for (const id of ['c1', 'c2']) addConnection(storage, id);
  for (const text of ['first', 'second', 'third']) {
    storage.run(
      "INSERT INTO history (connection_id, caller, text, outcome, rows, duration_ms, at) VALUES ('c1', 'person', ?, 'ok', 1, 1, '')",
      text,
    );
  }
  storage.run("INSERT INTO window_records (key, value) VALUES ('layout', '{}'), ('gone', '{}')");
  storage.run("DELETE FROM window_records WHERE key = 'gone'");
  spoil(storage);
  storage.close();
  return home;
}

function open(home: string) {
  const opened = openOrSetAside(home);
  onTestFinished(() => opened.storage.close());
  return opened;
}

test('a number that is too large is damage: the app starts without its row, and reports the kinds of the lost entries', () => {
  const home = filledHome((storage) =>
    storage.run("UPDATE connections SET position = ? WHERE id = 'c1'", large),
  );
  const { storage, setAside } = open(home);
  // History entries refer to their connection, so those of the lost connection are lost too.
  expect(setAside?.rescued).toEqual({ connections: 1, lost: ['connections', 'history'] });
  expect(storage.all('SELECT id FROM connections')).toEqual([{ id: 'c2' }]);
});

test('after a read of the history has found a number that is too large, the next start leaves out its row', () => {
  const home = filledHome((storage) =>
    storage.run("UPDATE history SET rows = ? WHERE text = 'second'", large),
  );
  const running = openOrSetAside(home);
  expect(running.setAside).toBeNull();
  expect(() => running.storage.all('SELECT * FROM history')).toThrow('is damaged and cannot be read');
  running.storage.close();
  const { storage, setAside } = open(home);
  expect(setAside?.rescued).toEqual({ connections: 2, lost: ['history'] });
  expect(storage.all('SELECT text, rows FROM history ORDER BY id')).toEqual([
    { text: 'first', rows: 1 },
    { text: 'third', rows: 1 },
  ]);
  expect(existsSync(join(home, 'trestle.db.check'))).toBe(false);
});

test('a rescue leaves out an entry of sqlite_sequence that is too large, and keeps the others', () => {
  const home = filledHome((storage) => {
    storage.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'history'", large);
    storage.run("UPDATE connections SET position = ? WHERE id = 'c2'", large);
  });
  const { storage, setAside } = open(home);
  expect(setAside?.rescued).toEqual({ connections: 1, lost: ['connections'] });
  const { lastInsertRowid } = storage.run("INSERT INTO window_records (key, value) VALUES ('new', '1')");
  expect(lastInsertRowid).toBe(3);
  const sequences = storage.all("SELECT name, seq FROM sqlite_sequence WHERE name = 'history'");
  expect(sequences).toEqual([{ name: 'history', seq: 3 }]);
});

test('a sequence that is too large is damage: new rows would get ids that cannot be read', () => {
  const home = filledHome((storage) =>
    storage.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'window_records'", large),
  );
  const running = openOrSetAside(home);
  const add = "INSERT INTO window_records (key, value) VALUES ('new', '1')";
  expect(() => running.storage.run(add)).toThrow('is damaged and cannot be read');
  running.storage.close();
  const { storage, setAside } = open(home);
  expect(setAside?.rescued).toEqual({ connections: 2, lost: ['open tabs'] });
  const { lastInsertRowid } = storage.run("INSERT INTO window_records (key, value) VALUES ('new', '1')");
  expect(lastInsertRowid).toBe(2);
});
