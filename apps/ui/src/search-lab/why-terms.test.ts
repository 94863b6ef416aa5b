import { expect, test } from 'vitest';
import { placesText, rarityRequests, whyTerms } from './why-terms.ts';

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
  expect([...rarityRequests([{ terms }, undefined, { terms: other }], here)]).toEqual([
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
  expect(rarityRequests([{ terms: many }], here).size).toBe(8);
});
