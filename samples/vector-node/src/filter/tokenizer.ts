/** Splits a text into the terms of the index, like Weaviate's entities/tokenizer. */
export function tokenize(text: string, tokenization: string): string[] {
  switch (tokenization) {
    case 'lowercase':
      return text.split(space).filter(isTerm).map(goLower);
    case 'whitespace':
      return text.split(space).filter(isTerm);
    case 'field':
      return [text.replace(outerSpace, '')];
    case 'trigram':
      return trigrams(Array.from(goLower(text.replace(notAlphanumeric, ''))));
    default:
      return text.split(notAlphanumeric).filter(isTerm).map(goLower);
  }
}

/** For `Like`: the wildcards stay. */
export function tokenizePattern(text: string, tokenization: string): string[] {
  const words = () => text.split(notInPattern).filter(isTerm).map(goLower);
  if (tokenization === 'word') return words();
  if (tokenization === 'trigram') return trigrams(Array.from(words().join('')));
  return tokenize(text, tokenization);
}

const notAlphanumeric = /[^\p{L}\p{N}]+/gu;
const notInPattern = /[^\p{L}\p{N}*?]+/gu;
/** Go's unicode.IsSpace. Unlike \s it includes U+0085 and excludes U+FEFF. */
const spaces = '\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const space = new RegExp(`[${spaces}]+`, 'u');
const outerSpace = new RegExp(`^[${spaces}]+|[${spaces}]+$`, 'gu');

function isTerm(term: string): boolean {
  return term !== '';
}

/** Go lowercases one letter at a time: no final sigma, and one letter stays one letter. */
export function goLower(text: string): string {
  if (!/[\u0130\u03a3]/.test(text)) return text.toLowerCase();
  return Array.from(text, (char) => (char === '\u0130' ? 'i' : char.toLowerCase())).join('');
}

function trigrams(chars: string[]): string[] {
  return chars.slice(2).map((_, index) => chars.slice(index, index + 3).join(''));
}

/** Weaviate's stop words of the preset `en`. */
const english =
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  );

export function stopwordsOf(config: {
  stopwords?: { preset?: string; additions?: string[] | null; removals?: string[] | null };
}): Set<string> {
  const { preset, additions, removals } = config.stopwords ?? {};
  const words = new Set(preset === 'none' ? [] : english);
  for (const word of additions ?? []) words.add(word.toLowerCase());
  for (const word of removals ?? []) words.delete(word.toLowerCase());
  return words;
}
