import { expect, test } from 'vitest';
import { questionId } from './map-question.ts';
import { mapQuestion } from './testing/map-question.ts';

test('a row above the limit does not make another map, but another limit does', () => {
  expect(questionId({ ...mapQuestion, sample: true })).toBe(questionId(mapQuestion));
  expect(questionId({ ...mapQuestion, limit: 100_000 })).not.toBe(questionId(mapQuestion));
});
