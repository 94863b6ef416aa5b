import { expect, test } from 'vitest';
import { arranged, hide, isPlain, move, pin, plainLayout, resize, show } from './column-layout.ts';

test('columns keep the user’s order, and a new column follows the column before it in the table, or comes first', () => {
  expect(arranged(['a', 'b', 'c'], [])).toEqual(['a', 'b', 'c']);
  expect(arranged(['a', 'b', 'c'], ['c', 'gone', 'a', 'b'])).toEqual(['c', 'a', 'b']);
  expect(arranged(['first', 'a', 'new', 'b'], ['b', 'a'])).toEqual(['first', 'b', 'a', 'new']);
});

test('a column moves beside another column, and a move beside itself or a missing column changes nothing', () => {
  const names = ['a', 'b', 'c'];
  expect(move(plainLayout, names, 'c', { column: 'a', side: 'before' }).order).toEqual(['c', 'a', 'b']);
  expect(move(plainLayout, names, 'a', { column: 'b', side: 'after' }).order).toEqual(['b', 'a', 'c']);
  expect(move(plainLayout, names, 'a', { column: 'a', side: 'after' })).toBe(plainLayout);
  expect(move(plainLayout, names, 'a', { column: 'gone', side: 'after' })).toBe(plainLayout);
});

test('columns can be hidden, pinned and resized, and each of these changes can be undone', () => {
  const changed = resize(pin(hide(plainLayout, ['a', 'b']), ['id'], 'c', true), { c: 90.4, d: 10 });
  expect(changed).toEqual({ hidden: ['a', 'b'], pinned: ['id', 'c'], order: [], widths: { c: 90, d: 10 } });
  expect(show(changed, ['a']).hidden).toEqual(['b']);
  expect(pin(changed, ['id', 'c'], 'id', false).pinned).toEqual(['c']);
  expect(resize(changed, { c: null }).widths).toEqual({ d: 10 });
  expect([isPlain(changed), isPlain(plainLayout)]).toEqual([false, true]);
});
