import type { Tokenization } from './schema.ts';

/** How the server splits text (its `entities/tokenizer`), as far as a filter's fate depends on it. */

/** The terms of a value; null where only the server knows how it splits. */
export function termsOf(value: string, tokenization: Tokenization): string[] | null {
  switch (tokenization) {
    case 'word':
      return words(value);
    case 'lowercase':
      return spaced(value.toLowerCase());
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

/** The terms of a pattern: `word` keeps the wildcards in its terms. */
export function patternTermsOf(pattern: string, tokenization: Tokenization): string[] | null {
  if (tokenization !== 'word') return termsOf(pattern, tokenization);
  return pattern
    .split(/[^\p{L}\p{N}*?]+/u)
    .filter((term) => term !== '')
    .map((term) => term.toLowerCase());
}

/** In words, for the filter bar. */
export function matchingNote(tokenization: Tokenization): string {
  switch (tokenization) {
    case 'word':
      return 'matches whole words, ignores case and word order';
    case 'lowercase':
      return 'matches words between spaces, ignores case and word order';
    case 'whitespace':
      return 'matches words between spaces in any order, case counts';
    case 'field':
      return 'matches the whole value, case counts';
    case 'trigram':
      return 'matches runs of three letters or digits, ignores case';
    default:
      return `matches words as the ${tokenization} tokenizer splits them`;
  }
}

function words(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** Go's unicode.IsSpace, which is not JavaScript's \s: it has U+0085 and lacks U+FEFF. */
const space = '\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const spaces = new RegExp(`[${space}]+`, 'u');
const outerSpace = new RegExp(`^[${space}]+|[${space}]+$`, 'gu');

function spaced(text: string): string[] {
  return text.split(spaces).filter((word) => word !== '');
}

function trimSpace(text: string): string {
  return text.replace(outerSpace, '');
}
