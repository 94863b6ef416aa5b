import { expect, test } from 'vitest';
import { type MapQuestion, questionId } from './map-question.ts';

const question: MapQuestion = {
  connectionId: 'c',
  request: { table: 'notes', filters: [], match: 'all' },
  vector: 'v',
  metric: 'cosine',
  key: ['id'],
  columns: [],
  limit: 50_000,
  sample: false,
};

test('a row above the limit does not make another map, but another limit does', () => {
  expect(questionId({ ...question, sample: true })).toBe(questionId(question));
  expect(questionId({ ...question, limit: 100_000 })).not.toBe(questionId(question));
});
