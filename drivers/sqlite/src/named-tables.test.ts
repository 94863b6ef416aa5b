import { expect, test } from 'vitest';
import { call, temporaryDatabase } from './testing/temporary-database.ts';

const schema = `CREATE TABLE users (id INTEGER PRIMARY KEY AUTOINCREMENT, bio TEXT);
  CREATE TABLE notes (user REFERENCES users (id));
  CREATE VIEW people AS SELECT id, bio FROM users;
  CREATE VIRTUAL TABLE found USING fts5(bio, content='people', content_rowid='id');
  CREATE VIRTUAL TABLE terms USING fts5vocab('found', 'row');`;

test.each([
  ['SELECT bio FROM users', ['users']],
  ['SELECT bio FROM people', ['people', 'users']],
  ["SELECT count(*) FROM found WHERE found MATCH 'x'", ['found', 'people', 'users']],
  ['SELECT term FROM terms', ['found', 'people', 'terms', 'users']],
  ['DROP TABLE users', ['notes', 'users']],
  ['SELECT seq / 10 FROM sqlite_sequence', undefined],
  ['DELETE FROM sqlite_sequence WHERE seq > 5', undefined],
  ['PRAGMA foreign_key_check', undefined],
  ['SELECT "rowid" / 10 FROM pragma_foreign_key_check', undefined],
  ['PRAGMA integrity_check', undefined],
])(
  'a classification lists the tables of a statement, or has no list if the statement may read from any table: %s',
  async (text, tables) => {
    const { session } = await temporaryDatabase(schema);
    expect((await session.classify!(text, call)).tables?.toSorted()).toEqual(tables);
  },
);
