import { type ColumnHead, type Guarded, maskedUse } from '@trestle/driver-kit';
import { guardedSchema } from './guarded-schema.ts';
import type { Handle } from './handle.ts';
import { plainOrderProblem } from './plain-order.ts';
import { plainUseProblem } from './plain-use.ts';
import type { Table } from './table.ts';

/** Refuses a caller's statement that uses a guarded column other than as a plain result column. */
export function assertPlainUse(handle: Handle, text: string, guarded: Guarded | undefined): void {
  if (!guarded || guarded.length === 0) return;
  const schema = guardedSchema(handle, guarded);
  const problem = plainUseProblem(handle, schema, text) ?? plainOrderProblem(handle, schema, text);
  if (problem !== null) throw maskedUse(problem);
}

/** A result's heads with where its values come from. */
export function withOrigins(
  handle: Handle,
  heads: (ColumnHead & { table: string | null; column: string | null })[],
  guarded: Guarded,
): ColumnHead[] {
  const schema = guardedSchema(handle, guarded);
  return heads.map(({ table, column, ...head }) => {
    if (table === null || column === null) return head;
    const base = schema.base(table, column);
    return { ...head, origin: base ?? { table, column }, ...(base && { masked: true }) };
  });
}

export interface TableGuard {
  readonly active: boolean;
  assertFree(columns: string[], use: string): void;
  isGuarded(column: string): boolean;
  head(head: ColumnHead): ColumnHead;
}

/** What a page, count or export of one table must keep to. */
export function tableGuard(handle: Handle, table: Table, guarded: Guarded | undefined): TableGuard {
  if (!guarded || guarded.length === 0) return open;
  const schema = guardedSchema(handle, guarded);
  const { name } = table.description;
  const problem = schema.problem(name);
  if (problem !== null) throw maskedUse(problem);
  const isGuarded = (column: string) => schema.base(name, column) !== null;
  return {
    active: true,
    isGuarded,
    assertFree(columns, use) {
      const column = columns.find(isGuarded);
      if (column !== undefined) throw maskedUse(`${name}.${column} cannot be used to ${use}`);
    },
    head(head) {
      const base = schema.base(name, head.name);
      return { ...head, origin: base ?? { table: name, column: head.name }, ...(base && { masked: true }) };
    },
  };
}

const open: TableGuard = {
  active: false,
  assertFree: () => {},
  isGuarded: () => false,
  head: (head) => head,
};
