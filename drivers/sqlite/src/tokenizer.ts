export interface Token {
  kind: 'space' | 'comment' | 'word' | 'quoted' | 'text' | 'variable' | 'other';
  text: string;
  start: number;
  end: number;
}

/**
 * Splits SQL by the rules of SQLite's own tokenizer (tokenize.c), to find keywords outside strings, names and comments.
 * It may split one token of SQLite into several, for example `||` and `1e+5`. Never fails. The joined tokens are the
 * text.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (let start = 0; start < text.length; ) {
    const { kind, end } = tokenAt(text, start);
    tokens.push({ kind, text: text.slice(start, end), start, end });
    start = end;
  }
  return tokens;
}

/** The tokens without blanks and comments. */
export function significant(tokens: Token[]): Token[] {
  return tokens.filter((token) => token.kind !== 'space' && token.kind !== 'comment');
}

/**
 * Whether the token is one of these words, which are in capitals. Like SQLite, the comparison ignores the case of A–Z
 * only. With toUpperCase on the whole text, the name `lımıt`, with dotless i, would become LIMIT.
 */
export function isWord(token: Token | undefined, ...words: string[]): boolean {
  if (token?.kind !== 'word') return false;
  return words.includes(token.text.replace(/[a-z]/g, (letter) => letter.toUpperCase()));
}

/** The token without its quotes, as a name. */
export function nameOf({ kind, text }: Token): string {
  if (kind !== 'quoted' && kind !== 'text') return text;
  const quote = text[0] === '[' ? ']' : text.at(-1)!;
  const inner = text.replace(/^[xX]?['"`[]/, '').replace(/['"`\]]$/, '');
  return inner.replaceAll(quote + quote, quote);
}

interface Rule {
  kind: Token['kind'];
  pattern: RegExp;
  /** The closing quote; `pattern` matches the opening one. Two closing quotes inside the text mean one character. */
  quote?: string;
}

/** An unclosed string or comment extends to the end of the text, as in SQLite. */
const rules: Rule[] = [
  { kind: 'space', pattern: /[ \t\n\v\f\r\uFEFF]+/y },
  { kind: 'comment', pattern: /--[^\n]*/y },
  { kind: 'comment', pattern: /\/\*(?=[\s\S])[\s\S]*?(?:\*\/|$)/y },
  { kind: 'text', pattern: /[xX]?'/y, quote: "'" },
  { kind: 'quoted', pattern: /"/y, quote: '"' },
  { kind: 'quoted', pattern: /`/y, quote: '`' },
  { kind: 'quoted', pattern: /\[[^\]]*(?:\]|$)/y },
  { kind: 'variable', pattern: /\?\d*/y },
  { kind: 'variable', pattern: /[:@#$][A-Za-z0-9_$\u0080-\uFFFF]+/y },
  { kind: 'other', pattern: /\d[A-Za-z0-9_.]*|\.\d[A-Za-z0-9_]*/y },
  { kind: 'word', pattern: /[A-Za-z_\u0080-\uFFFF][A-Za-z0-9_$\u0080-\uFFFF]*/y },
];

function tokenAt(text: string, start: number): Pick<Token, 'kind' | 'end'> {
  for (const { kind, pattern, quote } of rules) {
    pattern.lastIndex = start;
    if (!pattern.test(text)) continue;
    const end = pattern.lastIndex;
    return { kind, end: quote === undefined ? end : afterQuote(text, end, quote) };
  }
  return { kind: 'other', end: start + 1 };
}

/**
 * The index after the closing quote, or the end of the text. A regular expression would overflow its stack on a text of
 * several million characters.
 */
function afterQuote(text: string, from: number, quote: string): number {
  let at = text.indexOf(quote, from);
  while (at >= 0 && text[at + 1] === quote) at = text.indexOf(quote, at + 2);
  return at < 0 ? text.length : at + 1;
}

/** The index of the parenthesis that closes the one at the start. -1 if there is none. */
export function closingAt(tokens: Token[]): number {
  let depth = 0;
  return tokens.findIndex(({ text }) => {
    depth += text === '(' ? 1 : text === ')' ? -1 : 0;
    return depth === 0;
  });
}
