import { expect, test } from 'vitest';
import { changeSet } from './schemas.ts';

test('the rows of the largest paste can be saved together', () => {
  const changes = Array.from({ length: 100_000 }, (_, at) => ({ kind: 'insert', id: `${at}`, values: {} }));
  expect(changeSet.safeParse({ table: 't', changes }).success).toBe(true);
});
