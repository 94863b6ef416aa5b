import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawClient } from './raw-client.ts';
import { handshakeOf, type RunningServer, runServer } from './running-server.ts';

/**
 * Statements that need approval. Most change more than they seem to, because of a WHERE that matches many rows, a
 * conflict, a foreign key, a trigger or a full-text command.
 */
let running: RunningServer;
let file: string;

beforeAll(async () => {
  running = await runServer();
  file = join(running.home, 'stars.db');
  onFile((db) =>
    db.exec(`
      CREATE TABLE stars (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO stars SELECT i, 'star ' || i FROM n;
      CREATE TABLE planets (id INTEGER PRIMARY KEY, star REFERENCES stars ON DELETE CASCADE);
      INSERT INTO planets VALUES (1, 1), (2, 1);
      CREATE VIRTUAL TABLE words USING fts5(name, content = 'stars', content_rowid = 'id');
      INSERT INTO words(words) VALUES ('rebuild');
      CREATE VIEW shown AS SELECT * FROM stars;
      CREATE TRIGGER shown_insert INSTEAD OF INSERT ON shown BEGIN REPLACE INTO stars VALUES (new.id, new.name || '!'); END;
    `),
  );
  await running.connectSqlite('Stars', file);
});
afterAll(() => running.close());

function onFile<T>(use: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file);
  try {
    return use(db);
  } finally {
    db.close();
  }
}

const content = () =>
  onFile((db) => [
    db.prepare('SELECT * FROM stars').all(),
    db.prepare('SELECT * FROM planets').all(),
    db.prepare("SELECT rowid FROM words WHERE words MATCH 'star'").all(),
  ]);

test.each([
  ['DELETE FROM stars WHERE id = id', '302 rows'],
  ['UPDATE stars SET name = upper(name) WHERE id > 0', '300 rows'],
  ["REPLACE INTO stars SELECT id, name || '!' FROM stars WHERE id > 1", '299 rows'],
  ['INSERT INTO stars SELECT * FROM stars WHERE 1 ON CONFLICT DO UPDATE SET name = upper(name)', '300 rows'],
  ['DELETE FROM stars WHERE id = 1', 'through a foreign key'],
  ["INSERT INTO words(words) VALUES ('delete-all')", 'destroys data'],
  ["INSERT INTO words(words) SELECT 'delete-all'", 'destroys data'],
  ['INSERT INTO shown SELECT * FROM stars WHERE id > 1', '299 rows'],
  ['INSERT INTO shown SELECT * FROM stars WHERE id = 1', 'through a foreign key'],
  ['VACUUM', 'destroys data'],
])('%s does not run without approval', async (query, words) => {
  const before = content();
  const tokens = [running.token, handshakeOf(running).token];
  for (const token of tokens) {
    const answer = await rawClient(running, token).call('execute_query', { connection_id: 'Stars', query });
    expect(JSON.stringify(answer)).toContain(words);
  }
  expect(content()).toEqual(before);
});

test('a statement that changes no more rows than the limit runs', async () => {
  const query = "UPDATE stars SET name = 'x' || name WHERE id > 200 RETURNING id";
  const answer = await rawClient(running).call('execute_query', { connection_id: 'Stars', query });
  expect(JSON.stringify(answer)).not.toContain('denied');
  expect(onFile((db) => db.prepare("SELECT count(*) AS n FROM stars WHERE name LIKE 'x%'").get())).toEqual({
    n: 100,
  });
});
