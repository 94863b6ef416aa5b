import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packWire } from '@trestle/driver-kit';
import { openStorage, type Row, type Storage } from '../storage.ts';

/** The connections in the file of `makeDamagedHome`, all open to clients. The last one is only in the -wal. */
export const connectionIds = ['c1', 'c2', 'late'];

/**
 * Makes `home` a data directory as a killed app leaves it, with rows in every table, and one row only in the -wal. The
 * page where the tokens begin is damaged, so each start finds the damage. `from` is an empty directory for the original
 * file.
 */
export function makeDamagedHome(home: string, from: string): void {
  const storage = openStorage(from);
  fill(storage);
  storage.giveBack();
  addConnection(storage, 'late');
  mkdirSync(home, { recursive: true });
  for (const suffix of ['', '-wal'])
    copyFileSync(join(from, `trestle.db${suffix}`), join(home, `trestle.db${suffix}`));
  spoilTable(storage, join(home, 'trestle.db'), 'tokens');
  storage.close();
}

/** Overwrites the root page of a table in `copy`, which is the file of `storage` or a copy of it. */
export function spoilTable(storage: Storage, copy: string, table: string): void {
  const root = Number(storage.get('SELECT rootpage FROM sqlite_schema WHERE name = ?', table)?.rootpage);
  const size = Number(storage.get('PRAGMA page_size')?.page_size);
  const bytes = readFileSync(copy);
  bytes.fill(0xa5, (root - 1) * size, root * size);
  writeFileSync(copy, bytes);
}

export function addConnection(storage: Storage, id: string): void {
  storage.run(
    `INSERT INTO connections (id, position, name, driver, fields, stored_secrets, external_clients, ai_policy,
       safe_mode, sample, created_at, updated_at)
     VALUES (?, 1, ?, 'fixture', '{"host":"db.example"}', '[]', 'readWrite', 'alwaysAllow', 'off', 0, '', '')`,
    id,
    `Connection ${id}`,
  );
}

export const change = { kind: 'insert', id: 'row', values: { a: 1 } } as const;

function fill(storage: Storage): void {
  for (const id of ['c1', 'c2']) addConnection(storage, id);
  const now = new Date().toISOString();
  storage.run("INSERT INTO settings VALUES ('theme', '\"dark\"')");
  storage.run("INSERT INTO ui_state VALUES ('welcome', 'true')");
  storage.run("INSERT INTO window_records (key, value) VALUES ('gone', '1'), ('layout', '{}')");
  storage.run("INSERT INTO window_records (key, connection_id, value) VALUES ('staged', 'c1', '[1]')");
  storage.run("DELETE FROM window_records WHERE key = 'gone'");
  storage.run("INSERT INTO staged_lists VALUES (1, 'c1', 't', NULL, 1, 0, ?, 0, x'00')", now);
  storage.run("INSERT INTO staged_commands (list_id, command) VALUES (1, x'00')");
  storage.run("INSERT INTO saves VALUES ('s', 'c1', 't', NULL, ?)", now);
  storage.run("INSERT INTO save_rows (save_id, change_id, change) VALUES ('s', 'row', ?)", packWire(change));
  storage.run(
    `INSERT INTO copies (id, from_connection, from_table, to_connection, to_table, started_at, counts)
     VALUES ('k', 'c1', 'a', 'c2', 'b', ?, '{"copied":1,"existing":0,"failed":0,"total":2}')`,
    now,
  );
  storage.run(
    'INSERT INTO registry VALUES (\'known https://drivers.example/\', \'{"keys":[],"sequence":4}\')',
  );
  storage.run("INSERT INTO spent_rows VALUES ('bridge', 1, 60000, 0, 5, 0)");
  storage.run("INSERT INTO call_intents (entry) VALUES ('{}')");
  storage.run(
    `INSERT INTO history (connection_id, caller, text, outcome, duration_ms, at)
     VALUES ('c1', 'person', 'SELECT 1', 'ok', 1, ?)`,
    now,
  );
  storage.run("INSERT INTO removals VALUES ('history', 'c1', 3, ?), ('activity', NULL, 9, ?)", now, now);
  storage.run(
    "INSERT INTO tokens (id, name, permission, hash, created_at) VALUES ('t', 'T', 'readOnly', x'00', '')",
  );
  storage.run("INSERT INTO activity (at, action, outcome) VALUES (?, 'query', 'ok')", now);
  storage.run("INSERT INTO activity_keys (id, first_row) VALUES ('key', 1)");
  storage.run("INSERT INTO activity_start VALUES (1, 0, 'h', 'key', 's')");
  storage.run(
    "INSERT INTO kept_maps (connection_id, table_name, key, bytes, used_at, map) VALUES ('c1', 't', 'k', 1, 1, x'00')",
  );
}

/** Every row of every table, without the parts that contain the time of the rescue. */
export function contents(storage: Storage): Record<string, Row[]> {
  return Object.fromEntries(
    tableNames(storage).map((table) => [
      table,
      storage
        .all(`SELECT * FROM ${table} ORDER BY rowid`)
        .filter(({ key }) => key !== 'set-aside')
        .map((row) => (table === 'activity' ? { ...row, at: '', detail: '' } : { ...row })),
    ]),
  );
}

export function tableNames(storage: Storage): string[] {
  return storage
    .all("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .map(({ name }) => String(name));
}
