import type { RowSet } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { barLengths, barLengthsOf, measureText } from './measure.ts';

test('the nearest row of a list has the full bar, and the farthest the shortest', () => {
  const far = barLengths([0.21, 0.22, 0.25], true);
  expect([0.21, 0.22, 0.25].map(far)).toEqual([1, expect.closeTo(0.775), 0.1]);
  const score = barLengths([8, 5, 2], false);
  expect([8, 5, 2].map(score)).toEqual([1, 0.55, 0.1]);
});

test('distances may be negative, as those of dot are', () => {
  const dot = barLengths([-120.5, -80, -1], true);
  expect([-120.5, -1].map(dot)).toEqual([1, 0.1]);
  expect(dot(-80)).toBeGreaterThan(0.6);
  const mixed = barLengths([-0.5, 0.5], true);
  expect([-0.5, 0, 0.5].map(mixed)).toEqual([1, 0.55, 0.1]);
});

test('equal values have full bars, and a value that is not a number has none', () => {
  expect(barLengths([0.3, 0.3], true)(0.3)).toBe(1);
  const some = barLengths([0.1, null, Number.NaN, Number.POSITIVE_INFINITY, 'x', 0.2], true);
  expect([0.1, 0.2, null, Number.NaN].map(some)).toEqual([1, 0.1, 0, 0]);
  expect(barLengths([], true)(null)).toBe(0);
});

test('the column of a page says whether it holds distances', () => {
  const page = (isDistance: boolean): RowSet => ({
    columns: [{ name: 'measure', type: 'number', nativeType: 'number', isMeasure: true, isDistance }],
    rowCount: 2,
    values: [{ kind: 'cells', cells: [1, 3] }],
  });
  expect([1, 3].map(barLengthsOf(page(true), 0))).toEqual([1, 0.1]);
  expect([1, 3].map(barLengthsOf(page(false), 0))).toEqual([0.1, 1]);
});

test('a measure is shown with three decimals, or with two digits if it is tiny', () => {
  expect(measureText(0.94234)).toBe('0.942');
  expect(measureText(0.0000123)).toBe('0.000012');
  expect(measureText(0)).toBe('0.000');
  expect(measureText(null)).toBe('–');
  expect(measureText(Number.NaN)).toBe('–');
});
