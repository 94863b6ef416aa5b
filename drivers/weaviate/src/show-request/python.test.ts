import type { SearchRequest } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import type { Where } from '../requests/model/where.ts';
import { pythonCode } from './python.ts';
import type { ShownQuery } from './shown-query.ts';
import { typescriptCode } from './typescript.ts';

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
  request: { objects: { properties: [], limit: 10 } },
};
const where = (type: 'date' | 'text', value: string): Where => ({
  path: ['added'],
  operator: 'Equal',
  value: { type, value },
});

test('datetime is imported for a date, and not for a text that contains the word datetime', () => {
  const imported = 'from datetime import datetime';
  expect(pythonCode({ ...query, where: where('date', '2026-01-01T00:00:00Z') })).toContain(imported);
  expect(pythonCode({ ...query, where: where('text', 'datetime.now') })).not.toContain(imported);
});

test('a date is written with +00:00 in place of Z: Python before 3.11 does not read a Z', () => {
  const code = pythonCode({ ...query, where: where('date', '2026-01-01T00:00:00Z') });
  expect(code).toContain('datetime.fromisoformat("2026-01-01T00:00:00+00:00")');
});

test('the code for a grouped search prints a distance, but no score: an object in a group has no score', () => {
  const found = { table: 'Book', filters: [], match: 'all' as const, limit: 10, text: 'sea' };
  const groupBy = { column: 'author', groups: 2, rowsPerGroup: 3 };
  const printed = (search: SearchRequest) =>
    [pythonCode({ ...query, search }), typescriptCode({ ...query, search })].map(
      (code) => /item\.metadata\??\.(\w+)/.exec(code)?.[1],
    );
  expect(printed({ ...found, mode: 'keyword' })).toEqual(['score', 'score']);
  expect(printed({ ...found, mode: 'hybrid', groupBy })).toEqual([undefined, undefined]);
  expect(printed({ ...found, mode: 'near_text', groupBy })).toEqual(['distance', 'distance']);
});
