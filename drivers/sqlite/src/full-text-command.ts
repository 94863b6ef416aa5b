import type { Handle } from './handle.ts';
import { queryRows } from './query.ts';
import { sql } from './sql.ts';
import { asciiLower } from './table.ts';
import { closingAt, isWord, nameOf, type Token } from './tokenizer.ts';

/**
 * Whether the statement sends a full-text table a command that may delete content. A full-text table has a column with
 * the table's own name. An INSERT into that column is a command. For example, `delete-all` empties the index. Only
 * commands that keep all content count as harmless, and only if the command is a literal in the text.
 */
export function isGraveCommand(handle: Handle, words: Token[]): boolean {
  const into = words.findIndex((token) => isWord(token, 'INTO'));
  const insert = into < 0 ? null : readInsert(words.slice(into));
  if (!insert?.columns.includes(insert.table) || !isVirtual(handle, insert.table)) return false;
  const command = literalCommand(insert);
  const isPlain = /^(,-?[0-9]+)?\)$/.test(
    insert.source
      .slice(3)
      .map((token) => token.text)
      .join(''),
  );
  return !isPlain || command === null || !harmless.has(command);
}

/** Finds the commands to a full-text table in the text of a trigger. `table` is in lower case. */
export function commandsTo(table: string, words: Token[]): ('delete' | 'grave' | 'harmless')[] {
  return words.flatMap((token, index) => {
    if (!isWord(token, 'INTO')) return [];
    const end = words.findIndex((other, at) => at > index && other.text === ';');
    const insert = readInsert(words.slice(index, end < 0 ? undefined : end));
    if (insert?.table !== table || !insert.columns.includes(table)) return [];
    const command = isOneRow(insert.source) ? literalCommand(insert) : null;
    if (command === 'delete') return ['delete'];
    return command !== null && harmless.has(command) ? ['harmless'] : ['grave'];
  });
}

interface Insert {
  /** With A–Z in lower case, like the columns. */
  table: string;
  columns: string[];
  /** The words after the columns: VALUES or a SELECT. */
  source: Token[];
}

/** Reads an INSERT. `words` begins with INTO. Null if the INSERT lists no columns. */
function readInsert(words: Token[]): Insert | null {
  const name = words[2]?.text === '.' ? 3 : 1;
  const target = words[name];
  // The list of columns is found by its position, not by keywords: SQLite allows a keyword such as WITH as the name or
  // alias of the table.
  const list = isWord(words[name + 1], 'AS') ? name + 3 : name + 1;
  if (!target || words[list]?.text !== '(') return null;
  const end = words.findIndex((token, index) => index > list && token.text === ')');
  return {
    table: asciiLower(nameOf(target)),
    columns: words.slice(list + 1, end).map((token) => asciiLower(nameOf(token))),
    source: words.slice(end + 1),
  };
}

/** The command in `VALUES ('command' …`. Null for any other form. */
function literalCommand({ table, columns, source: [values, open, command, next] }: Insert): string | null {
  const isLiteral =
    columns[0] === table &&
    isWord(values, 'VALUES') &&
    open?.text === '(' &&
    command?.kind === 'text' &&
    (next?.text === ',' || next?.text === ')');
  return isLiteral ? nameOf(command).toLowerCase() : null;
}

/** Whether nothing follows the first row of `VALUES (…)`. `literalCommand` checks that the first word is VALUES. */
function isOneRow([, ...words]: Token[]): boolean {
  const end = closingAt(words);
  return end >= 0 && end === words.length - 1;
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
