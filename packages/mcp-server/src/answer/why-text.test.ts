import { expect, test } from 'vitest';
import { whyText } from './why-text.ts';

const moon = { term: 'moon', column: 'title', count: 3 };

test('each word is named once with its columns, then the columns whose words are not known, then the parts', () => {
  expect(
    whyText({
      terms: [moon, { term: 'river', column: 'note', count: 1 }, { term: 'moon', column: 'note', count: 1 }],
      unknown: ['korean'],
      keyword: { share: 0.5 },
      vector: { share: 0.36051 },
    }),
  ).toBe('moon in title ×3, note; river in note; words in korean not known; keyword 0.5 + vector 0.361');
});

test('a row that only the vector found has no words', () => {
  expect(whyText({ terms: [], vector: { share: 0.75 } })).toBe('vector 0.75');
});
