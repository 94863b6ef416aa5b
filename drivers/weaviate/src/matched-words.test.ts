import { expect, test } from 'vitest';
import { matchedWords } from './matched-words.ts';

const stopwords = new Set(['the', 'not']);
const found = (query: string, texts: string[], tokenization: string) =>
  matchedWords(query, texts, { tokenization: tokenization as never }, stopwords);

test.each([
  ['word', 'Moon, the RIVER moon', ['The moon and the moon-river'], { moon: 2, river: 1 }],
  ['word', 'not the', ['not the end'], {}],
  ['word', 'ΟΔΟΣ', ['οδοσ', 'οδος'], { οδοσ: 1 }],
  ['lowercase', 'Moon, the', ['moon, The sun', 'moon'], { 'moon,': 1, the: 1 }],
  ['whitespace', 'Moon moon', ['Moon moons'], { Moon: 1 }],
  ['field', ' Moon river ', ['Moon river', 'Moon river, wide'], { 'Moon river': 1 }],
  ['field', 'moon', ['Moon'], {}],
  ['trigram', 'Moon river', ['a honeymoon, by moonlight'], { Moon: 2 }],
  ['trigram', 'Moon river', ['MOON-RIVER'], { 'Moon river': 1 }],
  ['trigram', 'on ri', ['moon river'], { 'on ri': 1 }],
  ['trigram', 'mo', ['moon'], {}],
])('split by %s, “%s” finds in %j: %j', (tokenization, query, texts, words) => {
  const counts = found(query, texts, tokenization)?.map(({ term, count }) => [term, count]);
  expect(Object.fromEntries(counts ?? [])).toEqual(words);
});

test('the words of a kind of splitting that only the server knows are unknown', () => {
  expect(found('月', ['月と川'], 'kagome_ja')).toBe(null);
});
