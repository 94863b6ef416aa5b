import { rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { nearestRows } from '../neighbours/read-rows.ts';
import { MapRows } from './map-rows.ts';
import { litRows } from './use-lit-rows.ts';

function mapOf(ids: string[]): MapRows {
  return MapRows.unpack({ keys: [ids], values: [], without: 0 }, ['id'], []);
}

const found = nearestRows(
  rowSetFromCells(
    [
      { name: 'id', type: 'text', nativeType: 'text' },
      { name: 'name', type: 'text', nativeType: 'text' },
      { name: 'distance', type: 'number', nativeType: 'distance', isMeasure: true },
    ],
    [
      ['b', 'Bee', 0.1],
      ['c', '', null],
    ],
  ),
  { key: ['id'], title: 'name' },
);

test('a found row is marked at its point, also on another map with the same number of points', () => {
  const points = (ids: string[]) => litRows(found, mapOf(ids)).map(({ point }) => point);
  expect(points(['a', 'b', 'c'])).toEqual([1, 2]);
  expect(points(['c', 'a', 'b'])).toEqual([2, 0]);
  expect(points(['c', 'd', 'e'])).toEqual([undefined, 0]);
});

test('until the map is done, a found row has a rank and a title, but no point', () => {
  expect(litRows(found, undefined)).toEqual([
    { rank: 1, id: 'b', point: undefined, title: 'Bee', distance: 0.1 },
    { rank: 2, id: 'c', point: undefined, title: 'c', distance: undefined },
  ]);
});
