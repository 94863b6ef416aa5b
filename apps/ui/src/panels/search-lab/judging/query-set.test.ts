import { expect, test } from 'vitest';
import { judgedQuery, markOf, measuredQueries, withMark } from './query-set.ts';

const empty = { name: 'Mine', queries: [] };

test('a mark belongs to one row of one query, and can be changed and removed', () => {
  const one = withMark(empty, ' moon ', 'a', 'right');
  expect(one.queries).toEqual([{ text: 'moon', right: ['a'], wrong: [] }]);
  const other = withMark(withMark(one, 'moon', 'b', 'wrong'), 'mars', 'a', 'wrong');
  expect(markOf(judgedQuery(other, 'moon'), 'a')).toBe('right');
  expect(markOf(judgedQuery(other, 'moon'), 'b')).toBe('wrong');
  expect(markOf(judgedQuery(other, 'mars'), 'a')).toBe('wrong');
  const changed = withMark(other, 'moon', 'a', 'wrong');
  expect(judgedQuery(changed, 'moon')).toEqual({ text: 'moon', right: [], wrong: ['b', 'a'] });
  expect(judgedQuery(withMark(changed, 'moon', 'a', null), 'moon')?.wrong).toEqual(['b']);
});

test('a run measures the queries with a text and a row that is marked right', () => {
  const moon = { text: 'moon', right: ['a'], wrong: [] };
  const queries = [moon, { text: '', right: ['a'], wrong: [] }, { text: 'mars', right: [], wrong: ['a'] }];
  expect(measuredQueries({ name: 'Mine', queries })).toEqual([moon]);
  expect(measuredQueries(undefined)).toEqual([]);
});
