import type { Property } from './schema.ts';
import { termsOf } from './tokens.ts';

export interface MatchedWord {
  term: string;
  count: number;
}

/**
 * The words of a keyword search that the texts of a property contain, in the order of the search. Null if only the
 * server knows how it splits the property.
 */
export function matchedWords(
  query: string,
  texts: string[],
  { tokenization }: Pick<Property, 'tokenization'>,
  stopwords: ReadonlySet<string>,
): MatchedWord[] | null {
  if (tokenization === null) return null;
  if (tokenization === 'trigram') return matchedPieces(query, texts);
  const words = termsOf(query, tokenization);
  // The server leaves out stop words only for this kind of splitting.
  const asked = tokenization === 'word' ? words?.filter((word) => !stopwords.has(word)) : words;
  if (!asked) return null;
  return countedWords(
    asked,
    texts.flatMap((text) => termsOf(text, tokenization) ?? []),
  );
}

export function countedWords(asked: string[], indexed: string[]): MatchedWord[] {
  const counts = new Map<string, number>();
  for (const term of indexed) counts.set(term, (counts.get(term) ?? 0) + 1);
  return [...new Set(asked)].flatMap((term) => {
    const count = counts.get(term);
    return count === undefined || term === '' ? [] : [{ term, count }];
  });
}

/** Each letter of the search is looked up in the texts once or twice, so a longer search is not read to its end. */
const mostLetters = 500;

/**
 * A property of trigrams matches runs of three letters or digits, also across words. The longest pieces of the search
 * that the text contains have all of these runs, and a person can read them.
 */
function matchedPieces(query: string, texts: string[]): MatchedWord[] {
  const places = lettersOf(query).slice(0, mostLetters);
  const piece = (start: number, end: number) =>
    places
      .slice(start, end)
      .map(({ letter }) => letter)
      .join('');
  // The texts are joined by a sign that is neither a letter nor a digit, so no piece is in two of them.
  const indexed = texts.map((text) => termsOf(text, 'word')!.join('')).join('|');
  const pieces = new Map<string, number>();
  let start = 0;
  while (start + 3 <= places.length) {
    let end = start + 2;
    while (end < places.length && indexed.includes(piece(start, end + 1))) end++;
    if (end - start >= 3) {
      const found = query.slice(places[start]!.from, places[end - 1]!.to);
      pieces.set(found, indexed.split(piece(start, end)).length - 1);
      // The next piece may begin with the last two letters of this one.
      start = end - 2;
    } else start++;
  }
  return Array.from(pieces, ([term, count]) => ({ term, count }));
}

/** The letters and digits as the server compares them, with their places in the text. */
function lettersOf(text: string): { letter: string; from: number; to: number }[] {
  return Array.from(text.matchAll(/[\p{L}\p{N}]/gu), ({ 0: char, index }) => ({
    letter: termsOf(char, 'word')![0]!,
    from: index,
    to: index + char.length,
  }));
}
