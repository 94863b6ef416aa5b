/** In order. The file's `user_version` is the number of applied migrations. Never edit a released one. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE connections (
    id TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    driver TEXT NOT NULL,
    fields TEXT NOT NULL,
    stored_secrets TEXT NOT NULL,
    external_clients TEXT NOT NULL,
    ai_policy TEXT NOT NULL,
    safe_mode TEXT NOT NULL,
    color TEXT,
    sample INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    permission TEXT NOT NULL,
    allowlist TEXT,
    hash BLOB NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    last_used_at TEXT,
    revoked_at TEXT
  ) STRICT;

  CREATE TABLE history (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
    caller TEXT NOT NULL,
    text TEXT NOT NULL,
    effect TEXT,
    outcome TEXT NOT NULL,
    error TEXT,
    rows INTEGER,
    duration_ms REAL NOT NULL,
    at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX history_by_connection ON history (connection_id, id);

  CREATE TABLE activity (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    action TEXT NOT NULL,
    token_name TEXT,
    client_name TEXT,
    connection_id TEXT,
    outcome TEXT NOT NULL,
    detail TEXT,
    duration_ms REAL,
    rows INTEGER,
    digest TEXT
  ) STRICT;

  CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE ui_state (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `,
  `
  ALTER TABLE connections ADD COLUMN masking TEXT NOT NULL DEFAULT '{"columns":[],"patterns":[]}';
  `,
  `
  ALTER TABLE activity ADD COLUMN hash TEXT;
  CREATE TABLE activity_start (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    last_id INTEGER NOT NULL,
    hash TEXT NOT NULL,
    key_id TEXT NOT NULL,
    seal TEXT NOT NULL
  ) STRICT;
  CREATE TABLE activity_keys (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    first_row INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- What a client is about to change, until the call's end is logged.
  CREATE TABLE call_intents (id INTEGER PRIMARY KEY, entry TEXT NOT NULL) STRICT;
  `,
  `
  CREATE TABLE saves (
    id TEXT PRIMARY KEY,
    connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
    table_name TEXT NOT NULL,
    partition TEXT,
    started_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE save_rows (
    position INTEGER PRIMARY KEY,
    save_id TEXT NOT NULL REFERENCES saves (id) ON DELETE CASCADE,
    change_id TEXT NOT NULL,
    change BLOB NOT NULL,
    outcome BLOB,
    UNIQUE (save_id, change_id)
  ) STRICT;
  `,
  `
  CREATE TABLE registry (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `,
  `
  ALTER TABLE connections ADD COLUMN reach_limit INTEGER NOT NULL DEFAULT 100;
  `,
  // AUTOINCREMENT never reuses a version, not even after its record was deleted.
  `
  CREATE TABLE window_records (
    version INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    connection_id TEXT REFERENCES connections (id) ON DELETE CASCADE,
    value TEXT NOT NULL
  ) STRICT;
  INSERT INTO window_records (key, value) SELECT key, value FROM ui_state WHERE key = 'workspace';
  DELETE FROM ui_state WHERE key = 'workspace';
  `,
  `
  -- The length of a statement of which only the beginning is kept.
  ALTER TABLE history ADD COLUMN cut_from INTEGER;
  `,
  `
  -- How much was removed to keep within a limit, and when last.
  CREATE TABLE removals (
    kind TEXT NOT NULL,
    connection_id TEXT REFERENCES connections (id) ON DELETE CASCADE,
    entries INTEGER NOT NULL,
    at TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX removals_of ON removals (kind, coalesce(connection_id, ''));
  `,
  `
  ALTER TABLE connections ADD COLUMN word TEXT;
  `,
  `
  CREATE TABLE kept_maps (
    id INTEGER PRIMARY KEY,
    connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
    table_name TEXT NOT NULL,
    key TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    map BLOB NOT NULL,
    UNIQUE (connection_id, key)
  ) STRICT;
  `,
  `
  -- A copy has no report while it runs, and none where the app ended in the middle.
  CREATE TABLE copies (
    id TEXT PRIMARY KEY,
    from_connection TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
    from_table TEXT NOT NULL,
    to_connection TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
    to_table TEXT NOT NULL,
    started_at TEXT NOT NULL,
    counts TEXT NOT NULL,
    cursor BLOB,
    report TEXT
  ) STRICT;
  `,
  `
  -- Names of tokens are not unique. NULL for the user, and for entries from before.
  ALTER TABLE history ADD COLUMN token_id TEXT;
  `,
  `
  -- The rows that clients wrote in the last hour. The column at is on the clock since the machine started, which no user can set.
  CREATE TABLE spent_rows (
    holder TEXT NOT NULL,
    minute INTEGER NOT NULL,
    at INTEGER NOT NULL,
    time_of_day INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    inserted INTEGER NOT NULL,
    PRIMARY KEY (holder, minute)
  ) STRICT;
  `,
  `
  CREATE TABLE endpoint_approvals (
    id TEXT PRIMARY KEY,
    connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
    table_name TEXT NOT NULL,
    setting TEXT NOT NULL,
    value TEXT NOT NULL,
    token_name TEXT NOT NULL,
    client_name TEXT NOT NULL,
    granted_at TEXT NOT NULL,
    UNIQUE (connection_id, table_name, setting, value)
  ) STRICT;
  `,
  // AUTOINCREMENT never reuses a revision, not even after its command was deleted.
  `
  CREATE TABLE staged_lists (
    id INTEGER PRIMARY KEY,
    connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
    table_name TEXT NOT NULL,
    partition TEXT,
    row_count INTEGER NOT NULL,
    is_empty INTEGER NOT NULL,
    changed_at TEXT NOT NULL,
    -- The edits at this revision. Later commands are in the next table.
    revision INTEGER NOT NULL,
    whole BLOB NOT NULL
  ) STRICT;
  CREATE INDEX staged_lists_by_table ON staged_lists (connection_id, table_name);
  CREATE TABLE staged_commands (
    revision INTEGER PRIMARY KEY AUTOINCREMENT,
    list_id INTEGER NOT NULL REFERENCES staged_lists (id) ON DELETE CASCADE,
    command BLOB NOT NULL
  ) STRICT;
  CREATE INDEX staged_commands_of ON staged_commands (list_id, revision);
  `,
];
