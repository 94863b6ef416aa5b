import { expect, test } from 'vitest';
import { queryLabelOffset } from './query-label.ts';

const query = { x: 100, y: 100 };

test('the label is above the query, unless the rank of a found row is there', () => {
  expect(queryLabelOffset(query, [])).toEqual({ x: 0, y: -12 });
  expect(queryLabelOffset(query, [{ x: 100, y: 120 }])).toEqual({ x: 0, y: -12 });
  expect(queryLabelOffset(query, [{ x: 110, y: 85 }]).y).toBeGreaterThan(0);
});

test('the label is at the side of the query with the fewest ranks of found rows', () => {
  const above = { x: 100, y: 85 };
  const below = { x: 100, y: 115 };
  const right = { x: 140, y: 100 };
  expect(queryLabelOffset(query, [above, below]).x).toBeGreaterThan(0);
  expect(queryLabelOffset(query, [above, below, right]).x).toBeLessThan(0);
  const left = { x: 60, y: 100 };
  expect(queryLabelOffset(query, [above, above, below, right, right, left, left]).y).toBeGreaterThan(0);
});
