import type { ColumnDescription, ColumnType } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { firstColumn } from './use-filter-drafts.ts';

const column = (name: string, type: ColumnType, inKey = false) =>
  ({ name, type, nativeType: type, inKey, operators: [] }) as unknown as ColumnDescription;

test('a filter begins with the column of the cursor, and not with a uuid', () => {
  const columns = [column('uuid', 'uuid', true), column('year', 'int'), column('title', 'text')];
  expect(firstColumn(columns, 'year')?.name).toBe('year');
  expect(firstColumn(columns, 'uuid')?.name).toBe('title');
  expect(firstColumn(columns, undefined)?.name).toBe('title');
  expect(firstColumn(columns.slice(0, 1), 'uuid')?.name).toBe('uuid');
  expect(firstColumn([column('id', 'int', true), column('name', 'text')], 'id')?.name).toBe('id');
  expect(firstColumn([], undefined)).toBeUndefined();
});
