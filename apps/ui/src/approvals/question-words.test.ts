import { expect, test } from 'vitest';
import type { PendingApproval } from '../shared/api-types.ts';
import { exactText, goneWords, lossOf, titleOf, wishOf } from './question-words.ts';

const parties = {
  id: 'q1',
  connection: { id: 'c1', name: 'Library' },
  tokenName: 'Laptop',
  clientName: 'editor',
  askedAt: '2026-07-01T10:00:00Z',
  expiresAt: '2026-07-01T10:05:00Z',
};
const access = (action: string, table: string | null): PendingApproval & { kind: 'access' } => ({
  ...parties,
  kind: 'access',
  action,
  table,
  statement: null,
});
const destroy = (
  tables: (PendingApproval & { kind: 'destroy' })['tables'],
  cascades = false,
): PendingApproval & { kind: 'destroy' } => ({
  ...parties,
  kind: 'destroy',
  statement: 'DROP TABLE books',
  summary: 'Drops the table books',
  tables,
  cascades,
  again: false,
  reason: null,
});

test('the title names the client and its request', () => {
  expect(titleOf(access('browse', null))).toBe('Let “editor” use “Library”?');
  expect(titleOf(destroy([]))).toBe('Let “editor” destroy data in “Library”?');
});

test('control characters and invisible format characters of a statement are shown by their code', () => {
  expect(exactText('DROP TABLE a; -- \u202eelbat\u200b\0\n\tdone – é 🎻')).toBe(
    'DROP TABLE a; -- ⟨U+202E⟩elbat⟨U+200B⟩⟨U+0000⟩\n\tdone – é 🎻',
  );
});

test('the wish names the action and the table, and an unknown action is shown unchanged', () => {
  expect(wishOf(access('browse', 'books'))).toBe('Read rows of books');
  expect(wishOf(access('tables', null))).toBe('List the tables');
  expect(wishOf(access('describeAll', null))).toBe('Read the schema');
  expect(wishOf(access('history', null))).toBe('Read the query history');
  expect(wishOf(access('restore', 'books'))).toBe('restore on books');
});

test('the loss names the number of rows, or says that the number is unknown', () => {
  const books = { table: 'books', rows: 12_345 };
  expect(lossOf(destroy([books]))).toBe('Changed or deleted: 12,345 rows of books.');
  expect(lossOf(destroy([{ table: 'books', partition: 'acme', rows: 1 }]))).toBe(
    'Changed or deleted: 1 row of books (acme).',
  );
  expect(lossOf(destroy([books, { table: 'loans', rows: null }], true))).toBe(
    'Changed or deleted: 12,345 rows of books, an unknown number of rows of loans. Some of them are affected through a foreign key.',
  );
  const cold = Array.from({ length: 1_205 }, (_, at) => ({
    table: 'books',
    partition: `t${at}`,
    rows: null,
  }));
  expect(lossOf(destroy([books, ...cold]))).toBe(
    'Changed or deleted: 12,345 rows of books, an unknown number of rows of books (t0, t1, t2, t3, t4 and 1,200 more).',
  );
  expect(lossOf(destroy([{ table: 'books', rows: null }, ...cold]))).toBe(
    'Changed or deleted: an unknown number of rows of books.',
  );
  expect(lossOf(destroy(cold.map((one) => ({ ...one, rows: 2 }))))).toBe(
    'Changed or deleted: 2,410 rows of books (t0, t1, t2, t3, t4 and 1,200 more).',
  );
  expect(lossOf(destroy([]))).toBe('No rows are changed or deleted.');
});

test('the notice about a question that disappeared says why', () => {
  expect(goneWords(access('browse', null), new Date('2026-07-01T10:01:00Z')).description).toMatch(
    /withdrawn/,
  );
  expect(goneWords(access('browse', null), new Date('2026-07-01T10:06:00Z')).description).toMatch(
    /Nobody answered in time/,
  );
});
