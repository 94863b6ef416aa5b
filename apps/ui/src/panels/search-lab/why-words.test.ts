import { expect, test } from 'vitest';
import { reasonWords, unmatchedWords } from './why-words.ts';

const row = (value: number, explanation?: object) => ({ value, explanation }) as never;
const number = (value: number) => value.toFixed(2);

test('a hybrid score is explained by the share of words and the share of meaning', () => {
  const rows = [row(1), row(0.73, { keyword: { share: 0.31 }, vector: { share: 0.42 } })];
  expect(reasonWords({ rows, kept: 2, isDistance: false }, 1, number)).toBe(
    '0.31 from words, 0.42 from meaning. It is 0.27 behind the first. 1 row is before it.',
  );
  const alone = [row(1, { vector: { share: 1 } })];
  expect(reasonWords({ rows: alone, kept: 1, isDistance: false }, 0, number)).toBe(
    'Nothing from words, 1.00 from meaning. No row is before it.',
  );
});

test('a row is explained by its distance and rank, and by its place before or after the cut (autocut)', () => {
  const rows = [row(0.2), row(0.25), row(0.4)];
  expect(reasonWords({ rows, kept: 2, isDistance: true }, 2, number)).toBe(
    'Distance 0.40. It is 0.20 behind the first. 2 rows are before it. It is after the cut.',
  );
});

test('a row with a better value than the first row is not called behind the first', () => {
  expect(reasonWords({ rows: [row(0.4), row(0.3)], kept: 2, isDistance: true }, 1, number)).toBe(
    'Distance 0.30. 1 row is before it.',
  );
  expect(reasonWords({ rows: [row(0.3), row(0.4)], kept: 2, isDistance: false }, 1, number)).toBe(
    'Score 0.40. 1 row is before it.',
  );
});

test('words of the query that matched nothing in a row are named once', () => {
  expect(
    unmatchedWords('Life thrives, thrives in Light', [{ term: 'life', column: 'note', count: 1 }]),
  ).toEqual(['thrives', 'in', 'light']);
});
