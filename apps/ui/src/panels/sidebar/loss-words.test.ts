import { expect, test } from 'vitest';
import { lossLines, lossTitle, wordFor } from './loss-words.ts';

const loss = {
  tables: [
    { table: 'planets', rows: 1204 },
    { table: 'moons', rows: 1 },
  ],
  cascades: true,
  schema: '',
};

test('the title counts all lost rows, and the lines count the rows of each table and the unsaved changes', () => {
  expect(lossTitle(loss, 'table', 'planets')).toBe('Delete 1,205 rows?');
  expect(lossLines(loss, { table: 'planets', unsaved: 2 })).toEqual([
    { count: '1,204', words: 'rows of planets, with all values' },
    { count: '1', words: 'row of moons that belongs to planets' },
    { count: '2', words: 'changed rows that are not saved' },
  ]);
});

test('a loss that cannot be counted, or is zero, gives no number in the title', () => {
  const unknown = { ...loss, tables: [{ table: 'Notes', partition: 'acme', rows: null }] };
  expect(lossTitle(unknown, 'collection', 'Notes')).toBe('Delete the collection Notes?');
  const empty = { ...loss, tables: [{ table: 'planets', rows: 0 }] };
  expect(lossTitle(empty, 'table', 'planets')).toBe('Delete the table planets?');
  expect(lossLines(unknown, { table: 'Notes', unsaved: 0 })).toEqual([
    { count: '', words: 'rows of Notes, acme, which cannot be counted' },
  ]);
});

test('a view is not called a table', () => {
  expect(wordFor('view', 'table')).toBe('view');
  expect(wordFor('table', 'table')).toBe('table');
  expect(wordFor('collection', 'collection')).toBe('collection');
});
