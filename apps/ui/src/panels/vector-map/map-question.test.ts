import { expect, test } from 'vitest';
import { questionId } from './map-question.ts';
import { mapQuestion } from './testing/map-question.ts';

test('the id of a question depends on `limit`, but not on `sample`', () => {
  expect(questionId({ ...mapQuestion, sample: true })).toBe(questionId(mapQuestion));
  expect(questionId({ ...mapQuestion, limit: 100_000 })).not.toBe(questionId(mapQuestion));
});
