import { expect, test } from 'vitest';
import { partsIn, termsIn } from './explain-score.ts';

test('the terms of a keyword search are in the order of the query, whatever order the server sends', () => {
  const explained =
    ', BM25F_landing_propLength:13, BM25F_moon_frequency:3, BM25F_landing_frequency:1, BM25F_moon_propLength:13';
  expect(termsIn(explained, 'Moon landing')).toEqual([
    { term: 'moon', count: 3, length: 13 },
    { term: 'landing', count: 1, length: 13 },
  ]);
});

test('a term may contain commas, quotes and underscores', () => {
  const query = 'moon, the "big" one_frequency';
  const explained = `, BM25F_${query}_frequency:1, BM25F_${query}_propLength:1, BM25F_moon_frequency:2`;
  expect(termsIn(explained, query)).toEqual([
    { term: 'moon', count: 2 },
    { term: query, count: 1, length: 1 },
  ]);
});

test('a term may contain ", BM25F_", the text that begins each entry of an explanation', () => {
  const query = 'moon, BM25F_sun';
  const explained = `, BM25F_${query}_frequency:1, BM25F_${query}_propLength:2, BM25F_moon_frequency:3`;
  expect(termsIn(explained, query)).toEqual([
    { term: 'moon', count: 3 },
    { term: query, count: 1, length: 2 },
  ]);
});

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

test('an empty explanation has no terms and no parts', () => {
  expect(termsIn('', 'moon')).toEqual([]);
  expect(partsIn('')).toEqual({});
});
