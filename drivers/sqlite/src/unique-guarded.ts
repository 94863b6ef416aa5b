import { type Constraints, readConstraints, readReferences, rowidNames } from './constraints.ts';
import type { GuardedSchema } from './guarded-schema.ts';
import type { Handle } from './handle.ts';
import { asciiLower } from './table.ts';

export interface Write {
  kind: 'insert' | 'update' | 'delete';
  table: string;
  /** The columns that the write sets. Null if it may set any column. */
  written: readonly string[] | null;
}

/**
 * A guarded column that a write would test; null if there is none. A unique index refuses a value that exists, and a
 * foreign key refuses a value that does not exist. So a client could try values until it has found a masked value. If
 * such a constraint has several columns, the client can also test a guarded column by writing another column. If a
 * CHECK names a guarded column and another column, an update of the other column can test the guarded column too. A
 * delete may fail if another row refers to the guarded value.
 */
export function testedColumn(handle: Handle, schema: GuardedSchema, write: Write): string | null {
  if (write.kind === 'delete') return referredColumn(handle, schema, write.table);
  const constraints = readConstraints(handle, write.table);
  const isGuarded = (column: string) => schema.base(write.table, column) !== null;
  const { isSet, isCompared, isLookedUp } = settings(constraints, write);
  const unique = constraints.uniques
    .filter(({ keys, involved }) => isCompared(write.kind === 'insert' ? keys : involved))
    .flatMap(({ involved }) => involved.filter(isGuarded));
  if (unique[0] !== undefined) return `${write.table}.${unique[0]}`;
  const checked = constraints.checks
    .filter((names) => write.kind === 'update' && isCompared(names))
    .flatMap((names) => names.filter((one) => isGuarded(one) && !isSet(one)));
  if (checked[0] !== undefined) return `${write.table}.${checked[0]}`;
  for (const { from, parent, to } of constraints.foreignKeys) {
    if (!isLookedUp(from)) continue;
    const referred = to.find((column) => schema.base(parent, column) !== null);
    if (referred !== undefined) return `${parent}.${referred}`;
    // If the update succeeds, a row of the parent has both the written value and the guarded value. The client can read
    // the guarded value there.
    const beside = write.kind === 'update' ? from.find((one) => isGuarded(one) && !isSet(one)) : undefined;
    if (beside !== undefined) return `${write.table}.${beside}`;
  }
  return null;
}

/** A guarded column of the table, if a foreign key refers to it. */
function referredColumn(handle: Handle, schema: GuardedSchema, table: string): string | null {
  if (!schema.hasGuarded(table)) return null;
  const column = readReferences(handle, table).find((one) => schema.base(table, one) !== null);
  return column === undefined ? null : `${table}.${column}`;
}

function settings({ columns, rowid }: Constraints, { kind, written }: Write) {
  const names = written?.flatMap((given) => {
    const name = asciiLower(given);
    if (columns.has(name) || !rowidNames.includes(name)) return [name];
    return rowid === null ? [] : [rowid];
  });
  const isSet = (column: string) => !names || names.includes(column);
  const mayChange = (column: string) =>
    isSet(column) || [...(columns.get(column)?.computedFrom ?? [])].some(isSet);
  // A generated column of a new row may have a value even if no column is set: `coalesce(name, '')`.
  const hasValue = (column: string) =>
    isSet(column) ||
    (columns.get(column)?.computedFrom ?? null) !== null ||
    (column !== rowid && columns.get(column)?.isNullByDefault === false);
  return {
    isSet,
    /**
     * Whether the write makes SQLite test a unique index or a CHECK with these columns. A unique index accepts every
     * new row that has NULL in one of its columns.
     */
    isCompared: (all: string[]) => (kind === 'insert' ? all.every(hasValue) : all.some(mayChange)),
    /**
     * Whether SQLite looks up these columns of the written row in the parent table. It also looks up a rowid that it
     * chose itself.
     */
    isLookedUp: (from: string[]) =>
      kind === 'insert' ? from.every((one) => one === rowid || hasValue(one)) : from.some(mayChange),
  };
}
