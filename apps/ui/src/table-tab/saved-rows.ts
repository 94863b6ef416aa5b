import { rowId } from '@trestle/core/staged-edits';
import type { Cell, Change, ChangeOutcome, RowKey } from '@trestle/driver-kit';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** The saved values of a row. Until the page is read again, the grid shows them in place of the page's old values. */
export interface SavedRow {
  /** The row's id before the save. */
  row: string;
  key: RowKey | null;
  kind: Change['kind'];
  values: Record<string, Cell>;
  /** When the outcome arrived, as `performance.now()`. */
  at: number;
}

export type SavedRows = ReadonlyMap<string, SavedRow>;

/** The saved rows by their current id. Each window has its own map, and needs it only until the page is read again. */
export type SavedRowsStore = StoreApi<{ rows: SavedRows; flashing: boolean }>;

export const flashMs = 1500;
const kept = 10_000;

export function createSavedRows(): SavedRowsStore {
  return createStore(() => ({ rows: new Map(), flashing: false }));
}

export function addSaved(
  store: SavedRowsStore,
  changes: ReadonlyMap<string, Change>,
  outcomes: ChangeOutcome[],
): void {
  const at = performance.now();
  const added = outcomes.flatMap(({ id, status, key: given }): [string, SavedRow][] => {
    const change = changes.get(id);
    if (status !== 'applied' || !change) return [];
    const key = given ?? (change.kind === 'insert' ? null : change.key);
    const values = change.kind === 'delete' ? {} : change.values;
    return [[key ? rowId(key) : id, { row: id, key, kind: change.kind, values, at }]];
  });
  if (added.length === 0) return;
  const rows = new Map([...store.getState().rows, ...added].slice(-kept));
  store.setState({ rows, flashing: true });
  setTimeout(() => {
    const isOver = [...store.getState().rows.values()].every((row) => !isFlashing(row));
    if (isOver) store.setState({ flashing: false });
  }, flashMs + 20);
}

export function isFlashing({ at }: SavedRow): boolean {
  return performance.now() - at < flashMs;
}
