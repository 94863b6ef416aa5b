import {
  type Change,
  type ColumnHead,
  type ColumnSource,
  type Guarded,
  guardTable,
  isDriverError,
  markedHead,
  maskedUse,
  useOf,
} from '@trestle/driver-kit';
import type { Action } from './authorizer-action.ts';
import { changeStatement } from './change-statements.ts';
import { readConstraints } from './constraints.ts';
import { guardedSchema, isSchemaText } from './file-schema.ts';
import type { GuardedSchema } from './guarded-schema.ts';
import type { Handle } from './handle.ts';
import { isCompleteKey } from './key.ts';
import { assertKindsGuarded, type Masked, masks } from './masked-kinds.ts';
import { namedTables } from './named-tables.ts';
import { causedOrderProblem, hasPlainViews, orderIn, plainOrderProblem } from './plain-order.ts';
import { compile, plainUseProblem } from './plain-use.ts';
import { type Fragment, toText } from './sql.ts';
import { asciiLower, type Table } from './table.ts';

/**
 * Refuses a statement that uses a guarded column other than as a plain result column, or that could reveal the order of
 * guarded values.
 */
export function assertPlainUse(handle: Handle, text: string, masked: Masked): void {
  if (!masks(masked)) return;
  const schema = guardedSchema(handle, masked);
  if (schema.guardsNothing) return;
  const problem = plainUseProblem(handle, schema, text) ?? plainOrderProblem(handle, schema, text);
  if (problem !== null) throw maskedUse(problem);
}

/**
 * Refuses changes whose outcome could reveal whether a guarded column contains a certain value, for example through a
 * constraint, a trigger or the row's key. The check compiles the SQL statements of the changes. It runs inside their
 * transaction, and `mark` is the mark of the data that the transaction sees.
 */
export function assertNoGuess(
  handle: Handle,
  table: Table,
  changes: readonly Change[],
  masked: Masked & { mark: string | null },
): void {
  if (!masks(masked)) return;
  const schema = guardedSchema(handle, masked);
  const isKeyCheck = keyChecks(handle, table);
  const texts = new Map(
    changes.flatMap((change) => textOf(table, change).map((text) => [text, change.kind] as const)),
  );
  for (const [text, kind] of schema.guardsNothing ? [] : texts) {
    const problem =
      plainUseProblem(handle, schema, text, kind === 'insert' ? isKeyCheck : undefined) ??
      causedOrderProblem(handle, schema, text);
    if (problem !== null) throw maskedUse(problem);
  }
  // A generated column may reveal a guarded one, and only the driver knows it.
  if (changes.some((change) => change.kind !== 'insert' && change.expected))
    guardTable(table.description.name, useOf(changes), sourcesIn(handle, table, masked.guarded));
  if (!masked.maskedKinds) return;
  const actions = [...texts.keys()].flatMap((text) => compile(handle, text)?.actions ?? []);
  const tables = namedTables(handle, actions);
  // A change whose statement cannot be compiled may still be compared with its row.
  assertKindsGuarded(handle, tables && [table.description.name, ...tables], masked);
}

/**
 * Returns a function that recognizes the reads by which SQLite checks the table's foreign keys. For each foreign key,
 * SQLite reports a read of the parent's column, even if the INSERT leaves the foreign key NULL. The INSERT of a change
 * has only values, so it does not read that column in another way.
 */
function keyChecks(handle: Handle, table: Table): (action: Action) => boolean {
  const { foreignKeys } = readConstraints(handle, table.description.name);
  const checked = new Set(
    foreignKeys.flatMap(({ parent, to }) => to.map((column) => asciiLower(JSON.stringify([parent, column])))),
  );
  return ({ first, second, source }) =>
    source === null && checked.has(asciiLower(JSON.stringify([first, second])));
}

/** The text of the change's statement. Empty for a change that cannot run: the save reports it as failed or skipped. */
function textOf(table: Table, change: Change): string[] {
  if (table.description.readOnly?.[change.kind] !== undefined) return [];
  if (change.kind !== 'insert' && !isCompleteKey(change.key)) return [];
  try {
    return [toText(changeStatement({ ...table, resolvesConflicts: false }, change))];
  } catch (error) {
    if (isDriverError(error)) return [];
    throw error;
  }
}

/** The column heads of a result, with the origin of their values where it is known. */
export function withOrigins(
  handle: Handle,
  heads: (ColumnHead & { table: string | null; column: string | null })[],
  masked: Masked,
): ColumnHead[] {
  const schema = guardedSchema(handle, masked);
  return heads.map(({ table, column, ...head }) =>
    table === null || column === null ? head : markedHead(head, sourceOf(schema, table, column)),
  );
}

/**
 * Returns a function that gives the source of a column. If nothing is guarded, the function returns undefined. Refuses
 * a view or a virtual table that could reveal a guarded column.
 */
export function sourcesIn(
  handle: Handle,
  { description: { name } }: Table,
  guarded: Guarded | undefined,
): (column: string) => ColumnSource | undefined {
  if (!guarded || guarded.length === 0) return () => undefined;
  const schema = guardedSchema(handle, { guarded });
  const problem = schema.problem(name);
  if (problem !== null) throw maskedUse(problem);
  return (column) => sourceOf(schema, name, column);
}

/**
 * The first of the queries whose rows do not come in the order of guarded values. This order could also decide what a
 * LIMIT or a `group_concat` in a view returns. `sorted` sorts by all columns that are not masked, so its rows reveal no
 * order unless a view does. If every query follows such an order, returns `otherwise`. Throws if `otherwise` is undefined.
 */
export function plainlyOrdered(
  handle: Handle,
  { description: { name } }: Table,
  queries: Fragment[],
  guarded: Guarded,
  { sorted, otherwise }: { sorted?: Fragment | undefined; otherwise?: Fragment | undefined } = {},
): Fragment {
  const schema = guardedSchema(handle, { guarded });
  const orders = queries.map((query) => orderIn(handle, schema, toText(query), { values: query.values }));
  const plain = queries[orders.indexOf(undefined)];
  if (plain) return plain;
  const actions = sorted && compile(handle, toText(sorted))?.actions;
  if (sorted && actions && hasPlainViews(handle, schema, actions)) return sorted;
  if (otherwise) return otherwise;
  throw maskedUse(`reading ${name} ${orders[0]}`);
}

function sourceOf(schema: GuardedSchema, table: string, column: string): ColumnSource {
  const base = schema.base(table, column);
  // In the text of the schema, the app masks only the values themselves.
  return { origin: base ?? { table, column }, masked: base !== null && !isSchemaText(table, column) };
}
