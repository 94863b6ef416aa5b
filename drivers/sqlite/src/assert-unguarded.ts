import {
  type Change,
  type ColumnHead,
  type ColumnSource,
  type Guarded,
  isDriverError,
  markedHead,
  maskedUse,
} from '@trestle/driver-kit';
import { changeStatement } from './change-statements.ts';
import { guardedSchema } from './file-schema.ts';
import type { GuardedSchema } from './guarded-schema.ts';
import type { Handle } from './handle.ts';
import { isCompleteKey } from './key.ts';
import { plainOrderProblem } from './plain-order.ts';
import { plainUseProblem } from './plain-use.ts';
import { toText } from './sql.ts';
import type { Table } from './table.ts';

/** Refuses a statement that uses a guarded column other than as a plain result column. */
export function assertPlainUse(handle: Handle, text: string, guarded: Guarded | undefined): void {
  if (!guarded || guarded.length === 0) return;
  const schema = guardedSchema(handle, guarded);
  const problem = plainUseProblem(handle, schema, text) ?? plainOrderProblem(handle, schema, text);
  if (problem !== null) throw maskedUse(problem);
}

/**
 * Refuses changes whose outcome would tell whether a guarded column holds a value: by a constraint, a trigger or the
 * key of the row. A change is checked as the statement that it becomes.
 */
export function assertNoGuess(
  handle: Handle,
  table: Table,
  changes: readonly Change[],
  guarded: Guarded | undefined,
): void {
  if (!guarded || guarded.length === 0) return;
  const schema = guardedSchema(handle, guarded);
  for (const text of new Set(changes.flatMap((change) => textOf(table, change)))) {
    const problem = plainUseProblem(handle, schema, text);
    if (problem !== null) throw maskedUse(problem);
  }
}

/** Nothing for a change that cannot be run: it fails by itself. */
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

/** The column heads of a result, with the origin of their values. */
export function withOrigins(
  handle: Handle,
  heads: (ColumnHead & { table: string | null; column: string | null })[],
  guarded: Guarded,
): ColumnHead[] {
  const schema = guardedSchema(handle, guarded);
  return heads.map(({ table, column, ...head }) =>
    table === null || column === null ? head : markedHead(head, sourceOf(schema, table, column)),
  );
}

/** The source of each column, for a page, count or export. Undefined if nothing is guarded. */
export function sourcesIn(
  handle: Handle,
  { description: { name } }: Table,
  guarded: Guarded | undefined,
): (column: string) => ColumnSource | undefined {
  if (!guarded || guarded.length === 0) return () => undefined;
  const schema = guardedSchema(handle, guarded);
  const problem = schema.problem(name);
  if (problem !== null) throw maskedUse(problem);
  return (column) => sourceOf(schema, name, column);
}

function sourceOf(schema: GuardedSchema, table: string, column: string): ColumnSource {
  const base = schema.base(table, column);
  return { origin: base ?? { table, column }, masked: base !== null };
}
