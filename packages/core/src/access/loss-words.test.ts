import { expect, test } from 'vitest';
import { lossWords } from './loss-words.ts';

test('the loss names the number of rows, or says that the number is unknown', () => {
  const lossOf = (tables: Parameters<typeof lossWords>[0]['tables'], cascades = false) =>
    lossWords({ tables, cascades });
  const books = { table: 'books', rows: 12_345 };
  expect(lossOf([books])).toBe('Changed or deleted: 12,345 rows of books.');
  expect(lossOf([{ table: 'books', partition: 'acme', rows: 1 }])).toBe(
    'Changed or deleted: 1 row of books (acme).',
  );
  expect(lossOf([books, { table: 'loans', rows: null }], true)).toBe(
    'Changed or deleted: 12,345 rows of books, an unknown number of rows of loans. Some of them are affected through a foreign key.',
  );
  const cold = Array.from({ length: 1_205 }, (_, at) => ({
    table: 'books',
    partition: `t${at}`,
    rows: null,
  }));
  expect(lossOf([books, ...cold])).toBe(
    'Changed or deleted: 12,345 rows of books, an unknown number of rows of books (t0, t1, t2, t3, t4 and 1,200 more).',
  );
  expect(lossOf([{ table: 'books', rows: null }, ...cold])).toBe(
    'Changed or deleted: an unknown number of rows of books.',
  );
  expect(lossOf(cold.map((one) => ({ ...one, rows: 2 })))).toBe(
    'Changed or deleted: 2,410 rows of books (t0, t1, t2, t3, t4 and 1,200 more).',
  );
  expect(lossOf([])).toBe('No rows are changed or deleted.');
});
