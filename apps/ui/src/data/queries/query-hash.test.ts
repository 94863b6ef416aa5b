import { expect, test } from 'vitest';
import { hashOf } from './query-hash.ts';

test('the hash depends on the values of members, not on their order', () => {
  expect(hashOf(['rows', { b: 1, a: [{ d: 2, c: null }] }])).toBe(
    hashOf(['rows', { a: [{ c: null, d: 2 }], b: 1 }]),
  );
  expect(hashOf(['rows', { a: 1 }])).not.toBe(hashOf(['rows', { a: '1' }]));
});

test('different large integers in keys have different hashes', () => {
  const large = 2n ** 62n;
  expect(hashOf([{ id: large }])).toBe(hashOf([{ id: 4611686018427387904n }]));
  expect(hashOf([{ id: large }])).not.toBe(hashOf([{ id: large + 1n }]));
  expect(hashOf([{ id: large }])).not.toBe(hashOf([{ id: String(large) }]));
});
