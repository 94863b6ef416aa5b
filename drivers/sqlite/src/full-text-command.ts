import type { Handle } from './handle.ts';
import { queryRows } from './query.ts';
import { sql } from './sql.ts';
import { asciiLower } from './table.ts';
import { isWord, nameOf, type Token } from './tokenizer.ts';

/**
 * Whether the statement is a command to a full-text table that may delete content. A full-text table has a column with
 * the table's own name. An INSERT into that column is a command. For example, `delete-all` empties the index. Only
 * commands that keep all content count as harmless, and only if the command is a literal in the text.
 */
export function isGraveCommand(handle: Handle, words: Token[]): boolean {
  const into = words.findIndex((token) => isWord(token, 'INTO'));
  if (into < 0) return false;
  const dotted = words[into + 2]?.text === '.';
  const target = words[into + (dotted ? 3 : 1)];
  const list = words.findIndex((token, index) => index > into && token.text === '(');
  if (!target || list < 0) return false;
  if (words.slice(into, list).some((token) => isWord(token, 'VALUES', 'SELECT', 'WITH'))) return false;
  const table = asciiLower(nameOf(target));
  const end = words.findIndex((token, index) => index > list && token.text === ')');
  const columns = words.slice(list + 1, end).map((token) => asciiLower(nameOf(token)));
  if (!columns.includes(table) || !isVirtual(handle, table)) return false;
  const [values, open, command, ...rest] = words.slice(end + 1);
  const isPlain =
    columns[0] === table &&
    isWord(values, 'VALUES') &&
    open?.text === '(' &&
    command?.kind === 'text' &&
    /^(,-?[0-9]+)?\)$/.test(rest.map((token) => token.text).join(''));
  return !isPlain || !harmless.has(nameOf(command).toLowerCase());
}

const harmless = new Set([
  'automerge',
  'crisismerge',
  'integrity-check',
  'merge',
  'optimize',
  'pgsz',
  'rebuild',
  'usermerge',
]);

function isVirtual(handle: Handle, name: string): boolean {
  const rows = queryRows(
    handle,
    sql`SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual' AND lower(name) = ${name}`,
  );
  return rows.length > 0;
}
