import { type CreateTableRequest, DriverError } from '@trestle/driver-kit';
import type { DatabaseFile } from './database-file.ts';
import { run } from './run.ts';
import { quoteIdentifier } from './sql.ts';
import { isWord, significant, tokenize } from './tokenizer.ts';

/**
 * Creates a table with the CREATE TABLE statement of another table. Indexes and triggers are separate statements,
 * so they are not copied.
 */
export function createTable(file: DatabaseFile, { name, definition }: CreateTableRequest): void {
  if (!/^[\p{L}_][\p{L}\p{N}_$ -]*$/u.test(name) || /^sqlite_/i.test(name)) {
    throw new DriverError({
      code: 'invalid_argument',
      message: `"${name}" is not a valid name for a table`,
      hint: 'Begin with a letter or _, but not with sqlite_. Then use letters, digits, spaces, -, _ and $.',
    });
  }
  const place = nameIn(definition);
  const text = `${definition.slice(0, place.start)}${quoteIdentifier(name)}${definition.slice(place.end)}`;
  // `run` refuses a definition with a second statement, and the ceiling refuses a destructive one.
  run(file, { text, ceiling: 'write', limit: 1 });
}

/** Where the statement names its table: CREATE TABLE [IF NOT EXISTS] [schema.]name. */
export function nameIn(definition: string): { start: number; end: number } {
  const tokens = significant(tokenize(definition));
  let at = isWord(tokens[0], 'CREATE') && isWord(tokens[1], 'TABLE') ? 2 : -1;
  if (at > 0 && isWord(tokens[at], 'IF')) at += 3;
  const first = tokens[at];
  if (at < 0 || !first) {
    throw new DriverError({
      code: 'unsupported',
      message: 'Only a plain table can be created from a definition, not a view or a virtual table',
    });
  }
  const last = tokens[at + 1]?.text === '.' ? (tokens[at + 2] ?? first) : first;
  return { start: first.start, end: last.end };
}
