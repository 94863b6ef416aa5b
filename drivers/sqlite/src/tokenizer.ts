export interface Token {
  kind: 'space' | 'comment' | 'word' | 'quoted' | 'text' | 'variable' | 'other';
  text: string;
  start: number;
  end: number;
}

/**
 * Splits SQL into the tokens of SQLite's own tokenizer (tokenize.c), to find keywords outside strings, names and
 * comments. Never fails. The joined tokens are the text.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (let start = 0; start < text.length; ) {
    const { kind, pattern } = rules.find((rule) => matchAt(rule.pattern, text, start) > start) ?? fallback;
    const end = Math.max(matchAt(pattern, text, start), start + 1);
    tokens.push({ kind, text: text.slice(start, end), start, end });
    start = end;
  }
  return tokens;
}

/** The tokens without blanks and comments. */
export function significant(tokens: Token[]): Token[] {
  return tokens.filter((token) => token.kind !== 'space' && token.kind !== 'comment');
}

export function isWord(token: Token | undefined, ...words: string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toUpperCase());
}

/** A token read as a name. */
export function nameOf({ kind, text }: Token): string {
  if (kind !== 'quoted' && kind !== 'text') return text;
  const quote = text[0] === '[' ? ']' : text.at(-1)!;
  const inner = text.replace(/^[xX]?['"`[]/, '').replace(/['"`\]]$/, '');
  return inner.replaceAll(quote + quote, quote);
}

const fallback = { kind: 'other' as const, pattern: /[\s\S]/y };

/** An unclosed string or comment extends to the end, as in SQLite. */
const rules: { kind: Token['kind']; pattern: RegExp }[] = [
  { kind: 'space', pattern: /[ \t\n\v\f\r\uFEFF]+/y },
  { kind: 'comment', pattern: /--[^\n]*/y },
  { kind: 'comment', pattern: /\/\*(?=[\s\S])[\s\S]*?(?:\*\/|$)/y },
  { kind: 'text', pattern: /[xX]?'(?:[^']|'')*(?:'|$)/y },
  { kind: 'quoted', pattern: /"(?:[^"]|"")*(?:"|$)/y },
  { kind: 'quoted', pattern: /`(?:[^`]|``)*(?:`|$)/y },
  { kind: 'quoted', pattern: /\[[^\]]*(?:\]|$)/y },
  { kind: 'variable', pattern: /\?\d*/y },
  { kind: 'variable', pattern: /[:@#$][A-Za-z0-9_$\u0080-\uFFFF]+/y },
  { kind: 'other', pattern: /\d[A-Za-z0-9_.]*|\.\d[A-Za-z0-9_]*/y },
  { kind: 'word', pattern: /[A-Za-z_\u0080-\uFFFF][A-Za-z0-9_$\u0080-\uFFFF]*/y },
];

function matchAt(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
