import type { Cell, Json, ReferenceTarget } from '@trestle/driver-kit';

/** A column of references, and the table that has it. */
export interface ReferenceColumn {
  connectionId: string;
  table: string;
  partition?: string;
  column: string;
}

/** Targets by the JSON of their element in a cell. */
export type Targets = ReadonlyMap<string, ReferenceTarget>;

export function elementsOf(cell: Cell): Json[] {
  return Array.isArray(cell) ? cell : [];
}

/** The title. If it is empty or not known yet, or the row is gone, the element itself. */
export function targetName(target: ReferenceTarget | undefined, element: Json): string {
  if (target?.title) return target.title;
  return target?.title === null ? `${JSON.stringify(element)} (gone)` : JSON.stringify(element);
}

/** A cell as its targets' titles; null if it has none. */
export function referenceNames(cell: Cell, targets: Targets): string[] | null {
  const elements = elementsOf(cell);
  if (elements.length === 0) return null;
  return elements.map((element) => targetName(targets.get(JSON.stringify(element)), element));
}
