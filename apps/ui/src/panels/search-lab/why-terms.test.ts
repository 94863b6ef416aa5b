import { expect, test } from 'vitest';
import { placesText, rarityRequests, rarityText, whyTerms } from './why-terms.ts';

const terms = [
  { term: 'moon', column: 'title', count: 2 },
  { term: 'moon', column: 'note', count: 1 },
  { term: 'river', column: 'note', count: 1 },
];

test('a word is named once, with each column of the row that has it', () => {
  expect(whyTerms(terms).map((one) => [one.term, placesText(one)])).toEqual([
    ['moon', 'title ×2, note'],
    ['river', 'note'],
  ]);
});

test('the rows with a word are counted in the columns that have it, for at most eight words', () => {
  const here = { table: 'Song', partition: 'acme' };
  const other = [{ term: 'moon', column: 'lyrics', count: 1 }];
  const { words, all } = rarityRequests([{ terms }, undefined, { terms: other }], here);
  expect(all).toEqual({ ...here, filters: [], match: 'all' });
  expect([...words]).toEqual([
    [
      'moon',
      {
        ...here,
        match: 'any',
        filters: ['title', 'note', 'lyrics'].map((column) => ({ column, operator: 'equals', value: 'moon' })),
      },
    ],
    ['river', { ...here, match: 'any', filters: [{ column: 'note', operator: 'equals', value: 'river' }] }],
  ]);
  const many = Array.from({ length: 20 }, (_, at) => ({ term: `w${at}`, column: 'note', count: 1 }));
  expect(rarityRequests([{ terms: many }], here).words.size).toBe(8);
});

test('the number of rows with a word is shown beside the number of all rows', () => {
  expect([rarityText(3, 1204), rarityText(1, 1), rarityText(1, undefined)]).toEqual([
    'in 3 of 1,204 rows',
    'in 1 of 1 row',
    'in 1 row',
  ]);
  // The table was counted before rows were added.
  expect(rarityText(3, 2)).toBe('in 3 rows');
});
