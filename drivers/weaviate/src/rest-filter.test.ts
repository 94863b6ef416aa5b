import type { Json } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { whereOfRest } from './rest-filter.ts';

test('the filter of a REST body is read whatever the case of its keys', () => {
  const filter: Json = {
    Operator: 'And',
    operands: [
      { path: ['n'], operator: 'GreaterThan', valueInt: 3 },
      { path: ['kind'], operator: 'ContainsAny', valueTextArray: ['a', 'b'] },
      {
        path: ['at'],
        operator: 'WithinGeoRange',
        valueGeoRange: { geoCoordinates: { latitude: 1.5, longitude: 2 }, distance: { max: 10 } },
      },
    ],
  };
  expect(whereOfRest(filter)).toEqual({
    operator: 'And',
    operands: [
      { path: ['n'], operator: 'GreaterThan', value: { type: 'int', value: 3n } },
      { path: ['kind'], operator: 'ContainsAny', value: { type: 'text', value: ['a', 'b'] } },
      {
        path: ['at'],
        operator: 'WithinGeoRange',
        value: { type: 'geo', value: { latitude: 1.5, longitude: 2, distance: 10 } },
      },
    ],
  });
});

test.each<[string, Json]>([
  ['no object', 'x'],
  ['one key twice', { path: ['n'], PATH: ['m'], operator: 'Equal', valueInt: 1 }],
  ['two values', { path: ['n'], operator: 'Equal', valueInt: 1, valueText: 'a' }],
  ['an unknown key', { path: ['n'], operator: 'Equal', valueInt: 1, limit: 1 }],
  ['an unknown operator', { path: ['n'], operator: 'Nearly', valueInt: 1 }],
  ['operands and a path', { path: ['n'], operator: 'And', operands: [] }],
  ['a text for a number', { path: ['n'], operator: 'Equal', valueInt: '1' }],
  ['null', { path: ['n'], operator: 'Equal', valueInt: null }],
  ['no path', { operator: 'Equal', valueInt: 1 }],
])('a filter with %s is not counted: the count could be another one', (_kind, filter) => {
  expect(() => whereOfRest(filter)).toThrow('Unreadable filter');
});
