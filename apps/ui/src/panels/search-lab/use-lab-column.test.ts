import type { SearchRequest } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { withoutCut } from './use-lab-column.ts';

const near: SearchRequest = { table: 'A', filters: [], match: 'all', limit: 8, mode: 'near_text', text: 'a' };

test('the cut of a search (autocut, maxDistance) is removed, but a hybrid search keeps maxDistance', () => {
  expect(withoutCut(near)).toEqual({ plain: near, isCut: false });
  expect(withoutCut({ ...near, autocut: 1, maxDistance: 0.3 })).toEqual({ plain: near, isCut: true });
  const hybrid: SearchRequest = { ...near, mode: 'hybrid', maxDistance: 0.3 };
  expect(withoutCut(hybrid)).toEqual({ plain: hybrid, isCut: false });
});

test('a search with groups or a reranker keeps its cut, because its rows are not in order of distance or score', () => {
  const grouped: SearchRequest = {
    ...near,
    maxDistance: 0.3,
    groupBy: { column: 'kind', groups: 2, rowsPerGroup: 2 },
  };
  expect(withoutCut(grouped)).toEqual({ plain: grouped, isCut: false });
  const reranked: SearchRequest = { ...near, autocut: 1, rerank: { column: 'title' } };
  expect(withoutCut(reranked)).toEqual({ plain: reranked, isCut: false });
});
