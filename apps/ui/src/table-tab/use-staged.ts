import type { Cell, TableDescription } from '@trestle/driver-kit';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { GridEdit } from '../grid/index.ts';
import { countStaged, noEdits, redo, type StagedEdits, stage, stagedRows, undo } from './staged-edits.ts';
import type { TableLine } from './table-lines.ts';
import type { TableStore } from './table-store.ts';

/** What is staged in a tab, and the ways to stage more. */
export function useStaged(store: TableStore) {
  const edits = useStore(store, (state) => state.edits);
  const rows = useMemo(() => stagedRows(edits), [edits]);
  const counts = useMemo(() => countStaged(rows), [rows]);
  const actions = useMemo(() => stagedActions(store), [store]);
  const failed = Object.keys(edits.failures).filter(
    (id) => rows.updated.has(id) || rows.inserted.has(id) || rows.deleted.has(id),
  ).length;
  return {
    edits,
    rows,
    counts,
    failed,
    canUndo: edits.steps.length > 0,
    canRedo: edits.undone.length > 0,
    ...actions,
  };
}

export type Staged = ReturnType<typeof useStaged>;

function stagedActions(store: TableStore) {
  const change = (next: (edits: StagedEdits) => StagedEdits) =>
    store.setState(({ edits }) => ({ edits: next(edits) }));
  return {
    undo: () => change(undo),
    redo: () => change(redo),
    discard: () =>
      change(({ steps, undone }) => ({ ...noEdits, undone: [...undone, ...steps.toReversed()] })),
    edit(
      lines: TableLine[],
      cells: GridEdit[],
      stored: (line: TableLine, column: string) => Cell | undefined,
    ) {
      const staged = cells.flatMap(({ line: index, column, cell, of }) => {
        const line = (of as TableLine | undefined) ?? lines[index];
        if (!line || line.id === null) return [];
        const from = stored(line, column);
        return [{ row: line.id, key: line.key, column, cell, ...(from !== undefined && { from }) }];
      });
      if (staged.length > 0) change((edits) => stage(edits, { kind: 'edit', cells: staged }));
    },
    insert: () =>
      change((edits) => stage(edits, { kind: 'insert', row: `new ${crypto.randomUUID()}`, values: {} })),
    remove(lines: TableLine[]) {
      const rows = lines.flatMap(({ id, key, state }) =>
        id !== null && state !== 'deleted' ? [{ row: id, key }] : [],
      );
      if (rows.length > 0) change((edits) => stage(edits, { kind: 'delete', rows }));
    },
    restore(lines: TableLine[]) {
      const rows = lines.flatMap(({ id, state }) => (id !== null && state === 'deleted' ? [id] : []));
      if (rows.length > 0) change((edits) => stage(edits, { kind: 'restore', rows }));
    },
  };
}

/** Why nothing in this table can be changed; undefined where something can. */
export function tableRefusal(
  safeMode: 'off' | 'confirm' | 'readOnly',
  canApply: boolean,
  { readOnly }: Pick<TableDescription, 'readOnly'>,
): string | undefined {
  if (safeMode === 'readOnly') return 'The Safe Mode of this connection is read only';
  if (!canApply) return 'This driver does not change rows';
  if (readOnly?.insert && readOnly.update && readOnly.delete) return readOnly.update;
  return undefined;
}
