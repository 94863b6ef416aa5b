import type { Cell, Json, ReferenceTarget } from '@trestle/driver-kit';

/** A column of references, and the table that has it. */
export interface ReferenceColumn {
  connectionId: string;
  table: string;
  partition?: string;
  column: string;
}

/** The targets of references. The key of each is the element of the cell that refers to it, as JSON. */
export type Targets = ReadonlyMap<string, ReferenceTarget>;

export function elementsOf(cell: Cell): Json[] {
  return Array.isArray(cell) ? cell : [];
}

/** The title of the target. Without a title it is the element as JSON, marked “(gone)” if the row is gone. */
export function targetName(target: ReferenceTarget | undefined, element: Json): string {
  if (target?.title) return target.title;
  return target?.title === null ? `${JSON.stringify(element)} (gone)` : JSON.stringify(element);
}

/** The titles of the rows that a cell refers to; null if it refers to none. */
export function referenceNames(cell: Cell, targets: Targets): string[] | null {
  const elements = elementsOf(cell);
  if (elements.length === 0) return null;
  return elements.map((element) => targetName(targets.get(JSON.stringify(element)), element));
}
