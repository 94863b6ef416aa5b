import type { Row, Storage } from './storage.ts';

/**
 * Sets aside values that are not JSON, for example after somebody edited the file. Each value is kept under a key that
 * begins with `damagedPrefix`, so the app can start. Returns the damaged entries in words for the user, such as
 * `setting theme`. Writes in the caller's transaction.
 */
export function setAsideDamagedRows(storage: Storage): string[] {
  return tables.flatMap(({ damaged, name, setAside }) => {
    const rows = storage.all(damaged);
    for (const row of rows) setAside(storage, row);
    return rows.map(name);
  });
}

/** The entries that `setAsideDamagedRows` would set aside. Changes nothing. */
export function damagedRows(database: Pick<Storage, 'all'>): string[] {
  return tables.flatMap(({ damaged, name }) => database.all(damaged).map(name));
}

/** The app ignores rows whose key has this prefix. */
export const damagedPrefix = 'damaged/';

interface Table {
  /** Selects the damaged rows. */
  damaged: string;
  name(row: Row): string;
  setAside(storage: Storage, row: Row): void;
}

const tables: Table[] = [
  byKey('settings', 'setting'),
  byKey('ui_state', 'state'),
  byKey('window_records', 'window record'),
  {
    damaged: `SELECT id, name, fields, stored_secrets, masking FROM connections
      WHERE ${isNoJson('fields')} OR ${isNoJson('stored_secrets')} OR ${isNoJson('masking')}`,
    name: ({ name }) => `connection ${name}`,
    // The masking may be lost, and clients would see too much. So the connection is closed to them.
    setAside(storage, { id, fields, stored_secrets, masking }) {
      keep(storage, `connection/${id}`, { fields, stored_secrets, masking });
      storage.run(
        `UPDATE connections SET external_clients = 'blocked',
           fields = iif(${isNoJson('fields')}, '{}', fields),
           stored_secrets = iif(${isNoJson('stored_secrets')}, '[]', stored_secrets),
           masking = iif(${isNoJson('masking')}, '{"columns":[],"patterns":[]}', masking)
         WHERE id = ?`,
        String(id),
      );
    },
  },
  {
    damaged: `SELECT id, name, allowlist FROM tokens WHERE ${isNoJson('allowlist')}`,
    name: ({ name }) => `token ${name}`,
    // A token whose list of connections is damaged may use no connection.
    setAside(storage, { id, allowlist }) {
      keep(storage, `token/${id}`, { allowlist });
      storage.run("UPDATE tokens SET allowlist = '[]' WHERE id = ?", String(id));
    },
  },
  {
    damaged: `SELECT id, entry FROM call_intents WHERE ${isNoJson('entry')}`,
    name: ({ id }) => `log entry ${id}`,
    setAside(storage, { id, entry }) {
      keep(storage, `call/${id}`, { entry });
      storage.run('DELETE FROM call_intents WHERE id = ?', Number(id));
    },
  },
  {
    damaged: `SELECT id, to_table, counts, report FROM copies
      WHERE ${isNoJson('counts')} OR (report IS NOT NULL AND ${isNoJson('report')})`,
    name: ({ to_table }) => `copy to ${to_table}`,
    // A copy with a damaged count or report cannot be listed. `trestle copy --continue` can still complete it.
    setAside(storage, { id, counts, report }) {
      keep(storage, `copy/${id}`, { counts, report });
      storage.run('DELETE FROM copies WHERE id = ?', String(id));
    },
  },
  {
    damaged: `SELECT key, value FROM registry WHERE key LIKE 'known %' AND ${isNoJson('value')}`,
    name: ({ key }) => `registry ${String(key).slice('known '.length).split(' ')[0]}`,
    // Without its known keys, the app's own registry starts again with the pinned keys. The user must confirm the key
    // of any other registry again.
    setAside(storage, { key, value }) {
      keep(storage, `registry/${key}`, { value });
      storage.run('DELETE FROM registry WHERE key = ?', String(key));
    },
  },
];

function byKey(table: string, kind: string): Table {
  return {
    damaged: `SELECT key FROM ${table} WHERE ${isNoJson('value')} AND key NOT LIKE '${damagedPrefix}%'`,
    name: ({ key }) => `${kind} ${key}`,
    setAside(storage, { key }) {
      const kept = damagedPrefix + String(key);
      storage.run(`DELETE FROM ${table} WHERE key = ?`, kept);
      storage.run(`UPDATE ${table} SET key = ? WHERE key = ?`, kept, String(key));
    },
  };
}

/** `json_valid` reads a text only up to its first NUL, and `JSON.parse` refuses a NUL. So a NUL is damage too. */
function isNoJson(column: string): string {
  return `(NOT json_valid(${column}) OR instr(${column}, char(0)) > 0)`;
}

function keep(storage: Storage, name: string, row: Record<string, unknown>): void {
  storage.run(
    'INSERT INTO ui_state (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    damagedPrefix + name,
    JSON.stringify(row),
  );
}
