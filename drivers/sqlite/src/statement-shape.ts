import { isWord, significant, type Token } from './tokenizer.ts';

/** Facts about a statement that the authorizer does not report, read from its text. */
export interface StatementShape {
  explain: boolean;
  /** The statement's main verb in capitals, after EXPLAIN and WITH. Empty if there is no verb. */
  verb: string;
  /** The WITH clause. Empty if there is none. */
  with: string;
  /** The text after FROM in an UPDATE … FROM, up to WHERE or RETURNING. Null for other statements. */
  from: string | null;
  /** The text after WHERE, up to RETURNING. Null if there is no WHERE. */
  where: string | null;
  /** Whether the statement is an ALTER … DROP. */
  drops: boolean;
  /** Whether the statement is a VACUUM INTO. */
  into: boolean;
}

export function statementShape(text: string, tokens: Token[]): StatementShape {
  const words = topLevel(significant(tokens));
  let at = words.findIndex((token) => token.text !== ';');
  const explain = isWord(words[at], 'EXPLAIN');
  if (explain) at += isWord(words[at + 1], 'QUERY') ? 3 : 1;
  const start = words[at]?.start ?? text.length;
  at = afterWith(words, at);
  const main = words[at];
  const verb = main?.kind === 'word' ? main.text.toUpperCase() : '';
  const rest = words.slice(at + 1);
  const end = tokens.at(-1)?.end ?? 0;
  const whereAt = rest.findIndex((token) => isWord(token, 'WHERE'));
  const stopAt = rest.findIndex((token) => isWord(token, 'RETURNING') || token.text === ';');
  const stop = stopAt >= 0 ? rest[stopAt]!.start : end;
  const where = whereAt >= 0 ? text.slice(rest[whereAt]!.end, stop) : null;
  const fromAt = rest.findIndex(
    (token, index) => isWord(token, 'FROM') && !isWord(rest[index - 1], 'DISTINCT'),
  );
  const from = verb === 'UPDATE' && fromAt >= 0 && (whereAt < 0 || fromAt < whereAt);
  return {
    explain,
    verb,
    with: main ? text.slice(start, main.start) : '',
    from: from ? text.slice(rest[fromAt]!.end, whereAt >= 0 ? rest[whereAt]!.start : stop) : null,
    where,
    drops: verb === 'ALTER' && rest.some((token) => isWord(token, 'DROP')),
    into: verb === 'VACUUM' && rest.some((token) => isWord(token, 'INTO')),
  };
}

/** Replaces each pair of parentheses and the tokens inside with the opening parenthesis. */
function topLevel(tokens: Token[]): Token[] {
  const result: Token[] = [];
  let depth = 0;
  for (const token of tokens) {
    if (token.text === '(') {
      if (depth === 0) result.push(token);
      depth++;
    } else if (token.text === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0) result.push(token);
  }
  return result;
}

/** The index after `WITH [RECURSIVE] name [(…)] AS [NOT] [MATERIALIZED] (…), …`. */
function afterWith(words: Token[], start: number): number {
  if (!isWord(words[start], 'WITH')) return start;
  let at = start + (isWord(words[start + 1], 'RECURSIVE') ? 2 : 1);
  for (;;) {
    at++;
    if (words[at]?.text === '(') at++;
    if (isWord(words[at], 'AS')) at++;
    if (isWord(words[at], 'NOT')) at++;
    if (isWord(words[at], 'MATERIALIZED')) at++;
    if (words[at]?.text === '(') at++;
    if (words[at]?.text !== ',') return at;
    at++;
  }
}
