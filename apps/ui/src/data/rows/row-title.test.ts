import { expect, test } from 'vitest';
import { titleColumn } from './row-title.ts';

const column = (name: string) => ({ name, type: 'text' as const });

test('the title is a text column with a usual name, or else the first one that is neither key nor vector', () => {
  const vector = { ...column('embedding'), vector: { distance: 'cosine' as const } };
  const titleOf = (...columns: (typeof vector | ReturnType<typeof column>)[]) =>
    titleColumn(columns, ['id'])?.name;
  expect(titleOf(column('id'), vector, column('note'), column('Title'))).toBe('Title');
  expect(titleOf(column('id'), vector, column('note'))).toBe('note');
  expect(titleOf(column('id'), vector)).toBeUndefined();
});
