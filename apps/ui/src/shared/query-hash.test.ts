import { expect, test } from 'vitest';
import { hashOf } from './query-hash.ts';

test('the order of members does not change the hash, and every value does', () => {
  expect(hashOf(['rows', { b: 1, a: [{ d: 2, c: null }] }])).toBe(
    hashOf(['rows', { a: [{ c: null, d: 2 }], b: 1 }]),
  );
  expect(hashOf(['rows', { a: 1 }])).not.toBe(hashOf(['rows', { a: '1' }]));
});

test('rows with large integers for keys are told apart', () => {
  const large = 2n ** 62n;
  expect(hashOf([{ id: large }])).toBe(hashOf([{ id: 4611686018427387904n }]));
  expect(hashOf([{ id: large }])).not.toBe(hashOf([{ id: large + 1n }]));
  expect(hashOf([{ id: large }])).not.toBe(hashOf([{ id: String(large) }]));
});
