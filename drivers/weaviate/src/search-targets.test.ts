import { expect, test } from 'vitest';
import type { Collection } from './schema.ts';
import { targetNames } from './search-targets.ts';

const collection = (...names: (string | null)[]) =>
  ({ name: 'Songs', vectors: names.map((name) => ({ name })) }) as Collection;

test('a search without a target uses the vector without a name, or else the only vector', () => {
  const near = { mode: 'near_object' } as const;
  expect(targetNames(near, collection(null, 'a'))).toBeUndefined();
  expect(targetNames(near, collection(null, 'a', 'b'))).toBeUndefined();
  expect(targetNames(near, collection(null))).toBeUndefined();
  expect(targetNames(near, collection('a'))).toEqual(['a']);
  expect(() => targetNames(near, collection('a', 'b'))).toThrow('Songs has several vectors');
});

test('a named target is used, also beside the vector without a name', () => {
  const asked = { mode: 'near_object', targetVector: 'a' } as const;
  expect(targetNames(asked, collection(null, 'a'))).toEqual(['a']);
  expect(() => targetNames(asked, collection(null))).toThrow('Songs has no vector "a"');
});
