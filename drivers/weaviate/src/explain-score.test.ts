import { expect, test } from 'vitest';
import { partsIn } from './explain-score.ts';

const id = '2892fd31-587c-4f04-8b62-84a6f2e9fc3a';

test('with relative score fusion, the keyword part and the vector part have a score and a share', () => {
  const explained = `\nHybrid (Result Set keyword,bm25) Document ${id}: original score 1.4072409, normalized score: 0.5 - \nHybrid (Result Set vector,hybridVector) Document ${id}: original score -1.7e-05, normalized score: 0`;
  expect(partsIn(explained)).toEqual({
    keyword: { share: 0.5, score: 1.4072409 },
    vector: { share: 0, score: -1.7e-5 },
  });
});

test('with ranked fusion, a part has only a share', () => {
  const explained = `\nHybrid (Result Set vector,hybridVector) Document ${id} contributed 0.008333334 to the score`;
  expect(partsIn(explained)).toEqual({ vector: { share: 0.008333334 } });
});

test('an empty explanation has no parts', () => {
  expect(partsIn('')).toEqual({});
});
