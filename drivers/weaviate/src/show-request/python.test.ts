import { expect, test } from 'vitest';
import { EnumLiteral } from '../literal.ts';
import { pythonCode } from './python.ts';
import type { ShownQuery } from './shown-query.ts';

const query: ShownQuery = {
  place: { host: 'localhost', port: 8080, secure: false, hasKey: false, headers: [] },
  collection: 'Book',
  tenant: undefined,
  where: null,
  sort: [],
  limit: 10,
  offset: 0,
  search: null,
  propertyOf: (column) => column,
  graphql: '',
};
const where = (field: string, value: string) => ({
  path: ['added'],
  operator: new EnumLiteral('Equal'),
  [field]: value,
});

test('datetime is imported for a date, and not for a text that contains its name', () => {
  const imported = 'from datetime import datetime';
  expect(pythonCode({ ...query, where: where('valueDate', '2026-01-01T00:00:00Z') })).toContain(imported);
  expect(pythonCode({ ...query, where: where('valueText', 'datetime.now') })).not.toContain(imported);
});
