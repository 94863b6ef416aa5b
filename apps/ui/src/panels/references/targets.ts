import type { Cell, Json, ReferenceTarget } from '@trestle/driver-kit';

/** A column of references, and the table that has it. */
export interface ReferenceColumn {
  connectionId: string;
  table: string;
  partition?: string;
  column: string;
}

/** The targets of references. Each key of the map is the element that refers to the target, as JSON. */
export type Targets = ReadonlyMap<string, ReferenceTarget>;

export function elementsOf(cell: Cell): Json[] {
  return Array.isArray(cell) ? cell : [];
}

/** The title of the target, or else the element as JSON, with “(gone)” if the target's row is gone. */
export function targetName(target: ReferenceTarget | undefined, element: Json): string {
  if (target?.title) return target.title;
  return target?.title === null ? `${JSON.stringify(element)} (gone)` : JSON.stringify(element);
}

/** The names (see `targetName`) of the rows that a cell refers to; null if it refers to none. */
export function referenceNames(cell: Cell, targets: Targets): string[] | null {
  const elements = elementsOf(cell);
  if (elements.length === 0) return null;
  return elements.map((element) => targetName(targets.get(JSON.stringify(element)), element));
}
