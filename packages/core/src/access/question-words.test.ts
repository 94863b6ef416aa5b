import { expect, test } from 'vitest';
import type { ApprovalQuestion } from '../types.ts';
import { questionWords } from './question-words.ts';

const parties = { connection: { id: 'c1', name: 'Library' }, tokenName: 'Laptop', clientName: 'editor' };
const access = (changes: Partial<ApprovalQuestion & { kind: 'access' }>): ApprovalQuestion => ({
  ...parties,
  kind: 'access',
  action: 'browse',
  table: null,
  statement: null,
  ceiling: 'read',
  ...changes,
});

test('the title names the client and its request', () => {
  expect(questionWords(access({})).title).toBe('Let “editor” use “Library”?');
  const drop: ApprovalQuestion = {
    ...parties,
    kind: 'destroy',
    statement: 'DROP TABLE books',
    summary: 'Drops the table books',
    tables: [{ table: 'books', rows: 3 }],
    cascades: false,
    schema: 'a',
    loss: 'Changed or deleted: 3 rows of books.',
    again: false,
    reason: null,
  };
  expect(questionWords(drop)).toEqual({
    title: 'Let “editor” destroy data in “Library”?',
    may: 'It may run this statement once. A later statement needs your approval again.',
    wants: 'Drops the table books. Changed or deleted: 3 rows of books.',
  });
});

test.each([
  ['read', 'It may read. It cannot change anything.'],
  ['write', 'It may read, and add, change and delete rows. It cannot drop a table or collection.'],
  [
    'destroy',
    'It may read, and add, change and delete rows. It must ask you before it drops a table or collection.',
  ],
] as const)('the words for the ceiling %s say what the client may do', (ceiling, may) => {
  expect(questionWords(access({ ceiling })).may).toBe(may);
});

test('the wish names the action and the table, and an unknown action is shown unchanged', () => {
  const wishOf = (action: string, table: string | null) => questionWords(access({ action, table })).wants;
  expect(wishOf('browse', 'books')).toBe('Read rows of books');
  expect(wishOf('tables', null)).toBe('List the tables');
  expect(wishOf('describeAll', null)).toBe('Read the schema');
  expect(wishOf('history', null)).toBe('Read the query history');
  expect(wishOf('restore', 'books')).toBe('restore on books');
});

test('the question for more rows says who wrote how many, and how many more a yes allows', () => {
  const budget = (changes: Partial<ApprovalQuestion & { kind: 'budget' }>): ApprovalQuestion => ({
    ...parties,
    kind: 'budget',
    used: { changed: 950, inserted: 0 },
    limit: { changed: 1_000, inserted: 100_000 },
    wanted: { changed: 60, inserted: 0 },
    action: 'query',
    table: null,
    statement: 'DELETE FROM books',
    ...changes,
  });
  expect(questionWords(budget({}))).toEqual({
    title: 'Let “editor” change or delete 1,000 more rows in “Library”?',
    may: 'The clients with this token have changed or deleted 950 rows of this connection in the last hour. A yes allows the rows of an hour once more: 1,000 changed or deleted, 100,000 new.',
    wants: 'Write more: 60 rows changed or deleted',
  });
  const bridge = budget({
    tokenName: '__stdio_bridge__',
    used: { changed: 0, inserted: 100_000 },
    wanted: { changed: 0, inserted: 1 },
  });
  expect(questionWords(bridge)).toMatchObject({
    title: 'Let “editor” add 100,000 more rows to “Library”?',
    may: expect.stringMatching(
      /^All clients that use trestle-mcp together have added 100,000 rows to this connection in the last hour/,
    ),
  });
  // A single call may need more than an hour's rows.
  expect(questionWords(budget({ wanted: { changed: 0, inserted: 250_000 } })).title).toBe(
    'Let “editor” add 250,000 more rows to “Library”?',
  );
});
