import {
  type Change,
  type ColumnHead,
  type ColumnSource,
  type Guarded,
  markedHead,
  maskedUse,
} from '@trestle/driver-kit';
import { guardedSchema } from './file-schema.ts';
import type { GuardedSchema } from './guarded-schema.ts';
import type { Handle } from './handle.ts';
import { plainOrderProblem } from './plain-order.ts';
import { plainUseProblem } from './plain-use.ts';
import type { Table } from './table.ts';
import { referringColumn, testedColumn } from './unique-guarded.ts';

/** Refuses a statement that uses a guarded column other than as a plain result column. */
export function assertPlainUse(handle: Handle, text: string, guarded: Guarded | undefined): void {
  if (!guarded || guarded.length === 0) return;
  const schema = guardedSchema(handle, guarded);
  const problem = plainUseProblem(handle, schema, text) ?? plainOrderProblem(handle, schema, text);
  if (problem !== null) throw maskedUse(problem);
}

/** Refuses changes whose outcome would tell whether a guarded column holds a value. */
export function assertNoGuess(
  handle: Handle,
  { description: { name: table } }: Table,
  changes: readonly Change[],
  guarded: Guarded | undefined,
): void {
  if (!guarded || guarded.length === 0) return;
  const written = changes.flatMap((change) => (change.kind === 'delete' ? [] : Object.keys(change.values)));
  const schema = guardedSchema(handle, guarded);
  const deletes = changes.some(({ kind }) => kind === 'delete');
  const tested =
    testedColumn(handle, schema, { table, written }) ??
    (deletes ? referringColumn(handle, schema, table) : null);
  if (tested !== null) throw maskedUse(`a constraint could reveal values of ${tested}`);
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
