import { expect, test } from 'vitest';
import { colouringOf, hiddenEntries, none, steps } from './colouring.ts';

test('the commonest values get a colour each, the others share one', () => {
  const values = [...'aaabbccdefghij'].map((letter) => letter as string | null);
  const colouring = colouringOf([...values, null], 'text');
  if (colouring.kind !== 'categories') throw new Error('not categories');
  expect(colouring.entries.slice(0, 3)).toEqual([
    { label: 'a', count: 3 },
    { label: 'b', count: 2 },
    { label: 'c', count: 2 },
  ]);
  expect(colouring.entries.at(-1)).toEqual({ label: '3 others', count: 3, isRest: true });
  expect(colouring.entries).toHaveLength(8);
  expect(colouring.of.at(-1)).toBe(none);
  expect(colouring.of[13]).toBe(7);
});

test('numbers and dates lie on a scale, with a label at each end', () => {
  const numbers = colouringOf([0, 5, 10, null], 'number');
  expect(numbers).toMatchObject({ kind: 'scale', least: '0', most: '10' });
  expect([...numbers.of]).toEqual([0, steps / 2, steps - 1, none]);
  const dates = colouringOf(['2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z'], 'date');
  expect(dates).toMatchObject({ least: '2020-01-01', most: '2021-01-01' });
  const infinite = colouringOf([0, Number.POSITIVE_INFINITY, 10], 'number');
  expect(infinite).toMatchObject({ least: '0', most: '10' });
  expect([...infinite.of]).toEqual([0, none, steps - 1]);
  expect(colouringOf([null], 'int')).toMatchObject({ least: '', most: '' });
});

test('a list is coloured by its first value, and `true` and `false` have a colour each', () => {
  const lists = colouringOf([['NASA', 'ESA'], ['NASA'], []], 'json');
  expect(lists).toMatchObject({ entries: [{ label: 'NASA', count: 2 }] });
  expect(colouringOf([true, false, true], 'boolean')).toMatchObject({
    entries: [
      { label: 'true', count: 2 },
      { label: 'false', count: 1 },
    ],
  });
});

test('a hidden category stays hidden when other rows change the order of the entries', () => {
  const hiddenIn = (letters: string, ...hidden: (string | null)[]) => [
    ...hiddenEntries(colouringOf([...letters], 'text'), new Set(hidden)),
  ];
  expect(hiddenIn('aaab', 'b')).toEqual([1]);
  expect(hiddenIn('abbbcc', 'b')).toEqual([0]);
  expect(hiddenIn('aacc', 'b')).toEqual([]);
  expect(hiddenIn('aabcdefghij', null)).toEqual([7]);
  expect(hiddenIn('aabcdefgh', null)).toEqual([]);
  expect([...hiddenEntries(colouringOf([1, 2], 'number'), new Set(['b']))]).toEqual([]);
});
