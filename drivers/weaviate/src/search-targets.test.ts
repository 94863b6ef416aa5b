import { expect, test } from 'vitest';
import type { Collection } from './schema.ts';
import { chosenTarget, targetNames } from './search-targets.ts';

const collection = (...names: (string | null)[]) =>
  ({ name: 'Songs', vectors: names.map((name) => ({ name })) }) as Collection;

test('a search without a target uses the vector without a name, or else the only vector', () => {
  const near = { mode: 'near_object' } as const;
  expect(targetNames(near, collection(null, 'a'))).toBeUndefined();
  expect(targetNames(near, collection(null, 'a', 'b'))).toBeUndefined();
  expect(targetNames(near, collection(null))).toBeUndefined();
  expect(targetNames(near, collection('a'))).toEqual(['a']);
});

test('a search without a target uses the first of several named vectors that it can use, and says which', () => {
  const songs = {
    name: 'Songs',
    vectors: [
      { name: 'brought', vectorizer: null },
      { name: 'made', vectorizer: 'text2vec-openai' },
    ],
  } as Collection;
  expect(targetNames({ mode: 'near_text' }, songs)).toEqual(['made']);
  expect(targetNames({ mode: 'hybrid', vector: [1] }, songs)).toEqual(['brought']);
  expect(targetNames({ mode: 'near_object' }, songs)).toEqual(['brought']);
  expect(chosenTarget({ mode: 'near_text' }, songs)).toEqual(['made']);
  expect(chosenTarget({ mode: 'near_text', targetVector: 'made' }, songs)).toEqual([]);
  expect(chosenTarget({ mode: 'keyword' }, songs)).toEqual([]);
});

test('if exactly one vector is made from text, a search by text without a target uses that vector', () => {
  const mixed = {
    name: 'Songs',
    vectors: [
      { name: null, vectorizer: null },
      { name: 'a', vectorizer: 'text2vec-openai' },
    ],
  } as Collection;
  expect(targetNames({ mode: 'near_text' }, mixed)).toEqual(['a']);
  expect(targetNames({ mode: 'hybrid' }, mixed)).toEqual(['a']);
  expect(targetNames({ mode: 'hybrid', vector: [1] }, mixed)).toBeUndefined();
  expect(targetNames({ mode: 'near_object' }, mixed)).toBeUndefined();
});

test('a named target is used, also beside the vector without a name', () => {
  const asked = { mode: 'near_object', targetVector: 'a' } as const;
  expect(targetNames(asked, collection(null, 'a'))).toEqual(['a']);
  expect(() => targetNames(asked, collection(null))).toThrow('Songs has no vector "a"');
});
