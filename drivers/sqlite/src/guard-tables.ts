import { type ColumnOrigin, type Guarded, isGuarded } from '@trestle/driver-kit';
import { readForeignKeys } from './constraints.ts';
import { readGenerated } from './generated-columns.ts';
import type { Handle } from './handle.ts';
import { queryRows } from './query.ts';
import { sql } from './sql.ts';
import { asciiLower } from './table.ts';

export interface Relation {
  name: string;
  kind: 'table' | 'view' | 'virtual' | 'shadow';
  definition: string;
  /** Guarded columns by name, with A–Z in lower case. SQLite ignores the case of A–Z only: É and é differ. */
  guarded: Map<string, ColumnOrigin>;
  problem: string | null;
}

/**
 * Fills `guarded` of all tables: the named columns, the generated columns that are computed from them, and the foreign
 * keys that refer to them. A foreign key holds values of the column that it refers to, so it has that column's origin.
 */
export function guardTables(
  handle: Handle,
  relations: ReadonlyMap<string, Relation>,
  guarded: Guarded,
): void {
  const tables = [...relations.values()].filter(({ kind }) => kind !== 'view');
  for (const relation of tables) {
    for (const { name: column } of columnsOf(handle, relation.name))
      if (isGuarded(guarded, relation.name, column)) guard(handle, relation, column);
  }
  if (tables.every((one) => one.guarded.size === 0)) return;
  const references = tables.flatMap((child) => referencesOf(handle, child, relations));
  // A foreign key may refer to another foreign key, so this is repeated until nothing is added.
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const { child, from, parent, to } of references) {
      const origin = parent.guarded.get(to);
      if (!origin || child.guarded.has(from)) continue;
      guard(handle, child, from, origin);
      isDone = false;
    }
  }
}

/** Also guards the columns that are computed from this column. */
function guard(handle: Handle, relation: Relation, column: string, origin?: ColumnOrigin): void {
  const columns = columnsOf(handle, relation.name);
  const sources = readGenerated(relation.definition, columns);
  const lower = asciiLower(column);
  for (const { name } of columns) {
    const one = asciiLower(name);
    if (one === lower) relation.guarded.set(one, origin ?? { table: relation.name, column: name });
    else if (sources.get(one)?.has(lower) && !relation.guarded.has(one))
      relation.guarded.set(one, { table: relation.name, column: name });
  }
}

interface Reference {
  child: Relation;
  from: string;
  parent: Relation;
  to: string;
}

/** The column pairs of a table's foreign keys. */
function referencesOf(
  handle: Handle,
  child: Relation,
  relations: ReadonlyMap<string, Relation>,
): Reference[] {
  return readForeignKeys(handle, child.name).flatMap(({ from, parent: name, to }) => {
    const parent = relations.get(asciiLower(name));
    return from.flatMap((column, index) =>
      parent && to[index] !== undefined ? [{ child, from: column, parent, to: asciiLower(to[index]) }] : [],
    );
  });
}

export function columnsOf(handle: Handle, relation: string): { name: string; generated: boolean }[] {
  try {
    return queryRows(handle, sql`SELECT name, hidden FROM pragma_table_xinfo(${relation})`).map(
      ([name, hidden]) => ({ name: String(name), generated: hidden === 2n || hidden === 3n }),
    );
  } catch {
    // A broken view, or a virtual table without its module, cannot be read at all.
    return [];
  }
}
