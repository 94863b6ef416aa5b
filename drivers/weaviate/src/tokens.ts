import type { FilterOperator } from '@trestle/driver-kit';
import type { Tokenization } from './schema.ts';

/** How the server splits text (Weaviate's package `entities/tokenizer`), as far as filters need it. */

/** The terms of a value; null if only the server knows how it splits the value. */
export function termsOf(value: string, tokenization: Tokenization): string[] | null {
  switch (tokenization) {
    case 'word':
      return words(value);
    case 'lowercase':
      return spaced(goLower(value));
    case 'whitespace':
      return spaced(value);
    case 'field':
      return [trimSpace(value)];
    case 'trigram': {
      const runes = Array.from(words(value).join(''));
      return runes.slice(2).map((_, index) => runes.slice(index, index + 3).join(''));
    }
    default:
      return null;
  }
}

/** The terms of a pattern. Except for trigrams, they keep its wildcards `*` and `?` and its letter case. */
export function patternTermsOf(pattern: string, tokenization: Tokenization): string[] | null {
  switch (tokenization) {
    case 'word':
      return pattern.split(/[^\p{L}\p{N}*?]+/u).filter((term) => term !== '');
    case 'lowercase':
      return spaced(pattern);
    default:
      return termsOf(pattern, tokenization);
  }
}

/** Says how the server splits a text. */
export function splitWords(tokenization: Tokenization): string {
  switch (tokenization) {
    case 'word':
      return 'Words, case ignored (word)';
    case 'lowercase':
      return 'At spaces, case ignored (lowercase)';
    case 'whitespace':
      return 'At spaces, case counts (whitespace)';
    case 'field':
      return 'The whole value (field)';
    case 'trigram':
      return 'Runs of three characters (trigram)';
    default:
      return `By the ${tokenization} tokenizer`;
  }
}

/** How an operator matches text, for the filter bar; undefined if the tokenization does not matter to it. */
export function matchingNote(tokenization: Tokenization, operator: FilterOperator): string | undefined {
  const kind = kinds[operator];
  if (!kind) return undefined;
  switch (tokenization) {
    case 'word':
      return `${wordNotes[kind]}, ignores case`;
    case 'lowercase':
      return `${spacedNotes[kind]}, ignores case`;
    case 'whitespace':
      return `${spacedNotes[kind]}, case counts`;
    case 'field':
      return fieldNotes[kind];
    case 'trigram':
      return 'matches runs of three letters or digits, ignores case';
    default:
      return `matches words as the ${tokenization} tokenizer splits them`;
  }
}

/** How `equals` and `contains` match text, in one line. */
export function matchingSummary(tokenization: Tokenization): string {
  switch (tokenization) {
    case 'word':
      return 'equals: whole words in any order, contains: inside words; case ignored';
    case 'lowercase':
      return 'equals: words between spaces in any order, contains: inside them; case ignored';
    case 'whitespace':
      return 'equals: words between spaces in any order, contains: inside them; case counts';
    case 'field':
      return 'equals: the whole value, contains: a part; case counts';
    default:
      return matchingNote(tokenization, 'equals') ?? '';
  }
}

type MatchKind = 'whole' | 'inside' | 'start' | 'end';

const kinds: Partial<Record<FilterOperator, MatchKind>> = {
  equals: 'whole',
  not_equals: 'whole',
  in_list: 'whole',
  not_in_list: 'whole',
  contains: 'inside',
  not_contains: 'inside',
  starts_with: 'start',
  ends_with: 'end',
};

const wordNotes: Record<MatchKind, string> = {
  whole: 'matches whole words in any order',
  inside: 'matches inside words too, words in any order',
  start: 'matches where a word begins with it',
  end: 'matches where a word ends with it',
};

const spacedNotes: Record<MatchKind, string> = {
  whole: 'matches words between spaces in any order',
  inside: 'matches inside words too, words in any order',
  start: 'matches words between spaces that begin with it',
  end: 'matches words between spaces that end with it',
};

const fieldNotes: Record<MatchKind, string> = {
  whole: 'matches the whole value, case counts',
  inside: 'matches a part of the value, case counts',
  start: 'matches where the value begins with it, case counts',
  end: 'matches where the value ends with it, case counts',
};

function words(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(goLower);
}

/** Go lowercases one letter at a time: no final sigma, and one letter stays one letter. */
function goLower(text: string): string {
  if (!/[\u0130\u03a3]/.test(text)) return text.toLowerCase();
  return Array.from(text, (char) => (char === '\u0130' ? 'i' : char.toLowerCase())).join('');
}

/** Go's unicode.IsSpace differs from JavaScript's \s: it includes U+0085 and excludes U+FEFF. */
const space = '\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const spaces = new RegExp(`[${space}]+`, 'u');

function spaced(text: string): string[] {
  return text.split(spaces).filter((word) => word !== '');
}

/** A regular expression such as ` +$` would take quadratic time on a long run of spaces inside the text. */
function trimSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && spaces.test(text[start]!)) start++;
  while (end > start && spaces.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}
