import { splitList } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { endedValues, listText, readValues, reopenLast } from './list-text.ts';

test.each(['plain', 'Doe, Jane', 'say "go"', ' spaced '])(
  '%j, reopened by Backspace, stays one value',
  (last) => {
    const reopened = reopenLast(['first', last]);
    expect(reopened.values).toEqual(['first']);
    expect(splitList(listText(reopened))).toEqual(['first', last]);
  },
);

test('Backspace in an empty list changes nothing', () => {
  expect(reopenLast([])).toEqual({ values: [], rest: '' });
});

test('a comma ends a value, but not inside quotes', () => {
  expect(endedValues('a,b')).toEqual({ values: ['a'], rest: 'b' });
  expect(endedValues('a, 5" disc ')).toEqual({ values: ['a'], rest: '5" disc' });
  expect(endedValues('"a,')).toBeNull();
  expect(readValues('"a, b", c')).toEqual(['a, b', 'c']);
  expect(readValues('"a')).toEqual([]);
});
