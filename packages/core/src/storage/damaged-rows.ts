import type { Storage } from './storage.ts';

/**
 * Sets aside values that are not JSON, because somebody edited the file or a disk failed. Each value stays under
 * another name that nothing reads, so the app can start. Returns the damaged entries in words for the user, such as
 * `setting theme`.
 */
export function setAsideDamagedRows(storage: Storage): string[] {
  return storage.transaction(() => [
    ...moved(storage, 'settings', 'setting'),
    ...moved(storage, 'ui_state', 'state'),
    ...moved(storage, 'window_records', 'window record'),
    ...connections(storage),
    ...tokens(storage),
    ...intents(storage),
    ...copies(storage),
    ...registries(storage),
  ]);
}

/** Rows whose key has this prefix are not read. */
export const damagedPrefix = 'damaged/';

/** `json_valid` reads a text only up to its first NUL, and `JSON.parse` refuses a NUL. So a NUL is damage too. */
function isNoJson(column: string): string {
  return `(NOT json_valid(${column}) OR instr(${column}, char(0)) > 0)`;
}

function moved(storage: Storage, table: string, kind: string): string[] {
  const damaged = storage.all(
    `SELECT key FROM ${table} WHERE ${isNoJson('value')} AND key NOT LIKE '${damagedPrefix}%'`,
  );
  for (const { key } of damaged) {
    const kept = damagedPrefix + String(key);
    storage.run(`DELETE FROM ${table} WHERE key = ?`, kept);
    storage.run(`UPDATE ${table} SET key = ? WHERE key = ?`, kept, String(key));
  }
  return damaged.map(({ key }) => `${kind} ${key}`);
}

/** A connection with a damaged value is closed to clients: without its masking it would show them too much. */
function connections(storage: Storage): string[] {
  const damaged = storage.all(`
    SELECT id, name, fields, stored_secrets, masking FROM connections
    WHERE ${isNoJson('fields')} OR ${isNoJson('stored_secrets')} OR ${isNoJson('masking')}`);
  for (const { id, fields, stored_secrets, masking } of damaged) {
    keep(storage, `connection/${id}`, JSON.stringify({ fields, stored_secrets, masking }));
    storage.run(
      `UPDATE connections SET external_clients = 'blocked',
         fields = iif(${isNoJson('fields')}, '{}', fields),
         stored_secrets = iif(${isNoJson('stored_secrets')}, '[]', stored_secrets),
         masking = iif(${isNoJson('masking')}, '{"columns":[],"patterns":[]}', masking)
       WHERE id = ?`,
      String(id),
    );
  }
  return damaged.map(({ name }) => `connection ${name}`);
}

/** A token whose list of connections is damaged may use no connection. */
function tokens(storage: Storage): string[] {
  const damaged = storage.all(`SELECT id, name, allowlist FROM tokens WHERE ${isNoJson('allowlist')}`);
  for (const { id, allowlist } of damaged) {
    keep(storage, `token/${id}`, JSON.stringify({ allowlist }));
    storage.run("UPDATE tokens SET allowlist = '[]' WHERE id = ?", String(id));
  }
  return damaged.map(({ name }) => `token ${name}`);
}

function intents(storage: Storage): string[] {
  const damaged = storage.all(`SELECT id, entry FROM call_intents WHERE ${isNoJson('entry')}`);
  for (const { id, entry } of damaged) {
    keep(storage, `call/${id}`, JSON.stringify({ entry }));
    storage.run('DELETE FROM call_intents WHERE id = ?', Number(id));
  }
  return damaged.map(({ id }) => `log entry ${id}`);
}

/**
 * A copy with a damaged count or report cannot be listed. The user can start it again: rows that are already in the
 * target do not change.
 */
function copies(storage: Storage): string[] {
  const damaged = storage.all(
    `SELECT id, to_table, counts, report FROM copies
     WHERE ${isNoJson('counts')} OR (report IS NOT NULL AND ${isNoJson('report')})`,
  );
  for (const { id, counts, report } of damaged) {
    keep(storage, `copy/${id}`, JSON.stringify({ counts, report }));
    storage.run('DELETE FROM copies WHERE id = ?', String(id));
  }
  return damaged.map(({ to_table }) => `copy to ${to_table}`);
}

/**
 * If the known keys of a registry are lost, the user must confirm its key again. The app's own registry starts again
 * with the pinned keys.
 */
function registries(storage: Storage): string[] {
  const damaged = storage.all(
    `SELECT key, value FROM registry WHERE key LIKE 'known %' AND ${isNoJson('value')}`,
  );
  for (const { key, value } of damaged) {
    keep(storage, `registry/${key}`, JSON.stringify({ value }));
    storage.run('DELETE FROM registry WHERE key = ?', String(key));
  }
  return damaged.map(({ key }) => `registry ${String(key).slice('known '.length).split(' ')[0]}`);
}

function keep(storage: Storage, name: string, value: string): void {
  storage.run(
    'INSERT INTO ui_state (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    damagedPrefix + name,
    value,
  );
}
