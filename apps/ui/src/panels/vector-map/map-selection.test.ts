import { expect, test } from 'vitest';
import { MapRows } from './map-rows.ts';
import { noSelection, selectedOf } from './map-selection.ts';

test('points that were selected on a stored map are not selected on the map that replaces it', () => {
  const stored = new MapRows(['id'], []);
  const selection = { rows: stored, points: [3, 4] };
  expect(selectedOf(selection, stored)).toEqual([3, 4]);
  expect(selectedOf(selection, new MapRows(['id'], []))).toEqual([]);
  expect(selectedOf(selection, undefined)).toEqual([]);
  expect(selectedOf(noSelection, undefined)).toEqual([]);
});
