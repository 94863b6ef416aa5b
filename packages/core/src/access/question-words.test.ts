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
