import { constants as c } from 'node:sqlite';
import type { Action } from './authorizer-action.ts';
import { isPageStatistics } from './file-schema.ts';
import type { Handle } from './handle.ts';
import { namesRows } from './plain-use.ts';
import { queryRows } from './query.ts';
import { sql } from './sql.ts';
import { asciiLower } from './table.ts';
import { nameOf, significant, tokenize } from './tokenizer.ts';

/**
 * The tables and views in the authorizer requests. A view or virtual table adds the tables and views that its
 * definition names. Undefined if the statement reads SQLite's statistics or `sqlite_sequence`, or runs `integrity_check` or a
 * similar check: these may return values or rowids of any table. Also undefined if it defines a view, trigger or virtual table: SQLite
 * does not report the tables that the definition names.
 */
export function namedTables(handle: Handle, actions: Action[]): string[] | undefined {
  const asked = new Set(
    actions
      .flatMap(({ first, second, source }) => [first, second, source])
      .flatMap((name) => name ?? [])
      .map(asciiLower),
  );
  const isOfAll = (name: string) => /^sqlite_stat\d/.test(name) || namesRows(name) || isPageStatistics(name);
  if ([...asked].some(isOfAll)) return undefined;
  // sqlite_sequence holds the largest rowid of each AUTOINCREMENT table. SQLite itself uses it for DROP and ALTER.
  const isAltered = actions.some(({ code }) => altering.has(code));
  if (asked.has('sqlite_sequence') && !isAltered) return undefined;
  if (actions.some(({ code }) => defining.has(code))) return undefined;
  const rows = queryRows(handle, sql`SELECT name, type FROM pragma_table_list WHERE schema = 'main'`);
  const known = rows.map(([name, type]) => ({ name: String(name), type }));
  const named = known.filter(({ name }) => asked.has(asciiLower(name)));
  // The rows of a virtual table can also be read from its shadow tables.
  const owners = known.filter(
    ({ name, type }) =>
      type === 'virtual' && named.some((one) => one.type === 'shadow' && one.name.startsWith(`${name}_`)),
  );
  return withSources(handle, [...named, ...owners], known)
    .filter(({ name, type }) => type !== 'shadow' && !/^sqlite_/i.test(name))
    .map(({ name }) => name);
}

interface Known {
  name: string;
  type: unknown;
}

/** Adds the tables that a virtual table or a view names: a full-text index may read a table, also through a view. */
function withSources(handle: Handle, tables: Known[], known: Known[]): Known[] {
  const found = new Set(tables);
  // A Set also iterates over the tables that are added meanwhile.
  for (const { name, type } of found) {
    if (type !== 'virtual' && type !== 'view') continue;
    const [row] = queryRows(
      handle,
      sql`SELECT sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ${name}`,
    );
    const words = significant(tokenize(String(row?.[0] ?? '')));
    const names = new Set(words.map((word) => asciiLower(nameOf(word))));
    for (const other of known) if (names.has(asciiLower(other.name))) found.add(other);
  }
  return [...found];
}

const altering = new Set<number>([c.SQLITE_DROP_TABLE, c.SQLITE_ALTER_TABLE]);

const defining = new Set<number>([c.SQLITE_CREATE_VIEW, c.SQLITE_CREATE_TRIGGER, c.SQLITE_CREATE_VTABLE]);
