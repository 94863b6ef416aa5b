import { constants as c } from 'node:sqlite';
import type { Action } from './authorizer-action.ts';
import type { Handle } from './handle.ts';
import { queryRows } from './query.ts';
import { sql } from './sql.ts';
import { asciiLower } from './table.ts';

/**
 * The tables and views in the authorizer requests. Undefined in two cases, where the requests do not show all tables.
 * The statement uses SQLite's statistics, which may contain values of any table. Or it defines a view, trigger or
 * virtual table: SQLite does not report the tables that the definition names.
 */
export function namedTables(handle: Handle, actions: Action[]): string[] | undefined {
  const asked = new Set(
    actions
      .flatMap(({ first, second, source }) => [first, second, source])
      .flatMap((name) => name ?? [])
      .map(asciiLower),
  );
  if ([...asked].some((name) => /^sqlite_stat\d/.test(name))) return undefined;
  if (actions.some(({ code }) => defining.has(code))) return undefined;
  const rows = queryRows(handle, sql`SELECT name, type FROM pragma_table_list WHERE schema = 'main'`);
  const known = rows.map(([name, type]) => ({ name: String(name), type }));
  const named = known.filter(({ name }) => asked.has(asciiLower(name)));
  // The rows of a virtual table can also be read from its shadow tables.
  const owners = known.filter(
    ({ name, type }) =>
      type === 'virtual' && named.some((one) => one.type === 'shadow' && one.name.startsWith(`${name}_`)),
  );
  const tables = [...named, ...owners].filter(
    ({ name, type }) => type !== 'shadow' && !/^sqlite_/i.test(name),
  );
  return [...new Set(tables.map(({ name }) => name))];
}

const defining = new Set<number>([c.SQLITE_CREATE_VIEW, c.SQLITE_CREATE_TRIGGER, c.SQLITE_CREATE_VTABLE]);
