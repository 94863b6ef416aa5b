import { isDeepStrictEqual } from 'node:util';
import {
  briefCell,
  type Cell,
  type Change,
  type ChangeOutcome,
  type Expected,
  isAsSeen,
  type Json,
  ownValue,
  rowAt,
} from '@trestle/driver-kit';
import type { WeaviateObject } from './cells.ts';
import { findColumn, type GridColumn, gridColumns } from './columns.ts';
import { rowSetOf } from './row-set.ts';
import { comparable } from './same-values.ts';
import type { Collection } from './schema.ts';
import { writableValue } from './writable-value.ts';

/** A change that expects certain cells in its row. */
export type Expecting = Exclude<Change, { kind: 'insert' }> & { expected: Expected };

export function isExpecting(change: Change): change is Expecting {
  return change.kind !== 'insert' && change.expected !== undefined;
}

/** Throws if the collection has no such column. */
export function expectedColumns({ expected }: Expecting, collection: Collection): GridColumn[] {
  const columns = gridColumns(collection);
  return Object.keys(expected).map((name) => findColumn(columns, name, collection));
}

export function expectsVectors(change: Expecting, collection: Collection): boolean {
  return expectedColumns(change, collection).some(({ source }) => source.kind === 'vector');
}

/** The conflict of the change with the object as it is now. Null if there is none. `object`: null if it is gone. */
export function conflictOf(
  change: Expecting,
  object: WeaviateObject | null,
  collection: Collection,
): ChangeOutcome | null {
  if (object === null) return { id: change.id, status: 'conflict', theirs: null };
  const columns = expectedColumns(change, collection);
  const now = rowAt(rowSetOf([object], columns), 0);
  const isOther = columns.some((column) => {
    const cell = ownValue(now, column.name) ?? null;
    return (
      !isSeen(cell, ownValue(change.expected, column.name) ?? null, column) && !isWanted(change, cell, column)
    );
  });
  if (!isOther) return null;
  const theirs = Object.entries(now).map(([name, cell]) => [name, briefCell(cell)] as const);
  return { id: change.id, status: 'conflict', theirs: Object.fromEntries(theirs) };
}

function isSeen(cell: Cell, seen: Cell, { source }: GridColumn): boolean {
  if (isAsSeen(cell, seen)) return true;
  if (source.kind !== 'property' || cell instanceof Uint8Array || seen instanceof Uint8Array) return false;
  const form = (one: Cell) => comparable(one as Json, source.property);
  return isDeepStrictEqual(form(cell), form(seen));
}

/** Whether the update would store what the object already holds. */
function isWanted(change: Expecting, cell: Cell, { name, source }: GridColumn): boolean {
  if (change.kind !== 'update' || source.kind !== 'property' || !Object.hasOwn(change.values, name))
    return false;
  const { property } = source;
  const wanted = writableValue(ownValue(change.values, name)!, property, name);
  // A blob is sent as text, and shown as bytes.
  const stored = cell instanceof Uint8Array ? cell.toBase64() : (cell as Json);
  return isDeepStrictEqual(comparable(wanted, property), comparable(stored, property));
}
