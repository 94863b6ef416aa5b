import {
  countInvalid,
  countStaged,
  type StagedCell,
  type StagedEdits,
  type Step,
  stagedRows,
} from '@trestle/core/staged-edits';
import { type Cell, ownValue, type TableDescription } from '@trestle/driver-kit';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { StagedStore } from '../data/staged/staged-store.ts';
import type { GridEdit, GridPaste } from '../panels/grid/index.ts';
import { type ListedRow, listedChanges } from './listed-changes.ts';
import type { TableLine } from './table-lines.ts';

/** The staged edits of a table, and the functions that change them. */
export function useStaged(store: StagedStore) {
  const edits = useStore(store.store, (state) => state.edits);
  const rows = useMemo(() => stagedRows(edits), [edits]);
  const counts = useMemo(() => countStaged(rows), [rows]);
  const invalid = useMemo(() => countInvalid(rows), [rows]);
  const conflicts = useMemo(
    () => (hasConflicts(edits) ? listedChanges(edits, rows).filter(({ conflict }) => conflict) : noConflicts),
    [edits, rows],
  );
  const actions = useMemo(() => stagedActions(store), [store]);
  const isStaged = (id: string) => rows.updated.has(id) || rows.inserted.has(id) || rows.deleted.has(id);
  return {
    edits,
    rows,
    counts,
    /** The number of cells that do not fit their columns. Nothing is saved until it is 0. */
    invalid,
    failed: Object.entries(edits.failures).filter(
      ([id, { conflict }]) => isStaged(id) && !conflict && !edits.unknown.includes(id),
    ).length,
    /** Staged rows that somebody else changed or deleted. */
    conflicts,
    /** New rows that may have been stored. */
    unknown: edits.unknown.filter(isStaged),
    canUndo: edits.steps.length > 0,
    canRedo: edits.undone.length > 0,
    ...actions,
  };
}

const noConflicts: ListedRow[] = [];

function hasConflicts({ failures }: StagedEdits): boolean {
  return Object.values(failures).some(({ conflict }) => conflict);
}

export type Staged = ReturnType<typeof useStaged>;

function stagedActions({ get, change }: Pick<StagedStore, 'get' | 'change'>) {
  /** Several steps form one action, and one undo reverts it. */
  const add = (...steps: NewStep[]) => {
    if (steps.length === 0) return;
    const group = steps.length > 1 ? { group: crypto.randomUUID() } : {};
    const named = steps.map((step) => ({ ...step, ...group, id: crypto.randomUUID() }) as Step);
    change({ kind: 'stage', steps: named });
  };
  const withLast = (kind: 'undo' | 'redo', steps: Step[]) => {
    const step = steps.at(-1)?.id;
    if (step !== undefined) change({ kind, step });
  };
  const dropCell = (row: string, column: string) => change({ kind: 'discardCell', row, column });
  return {
    undo: () => withLast('undo', get().steps),
    redo: () => withLast('redo', get().undone),
    discard: () => change({ kind: 'discard', steps: get().steps.map(({ id }) => id) }),
    discardRows: (rows: string[]) => change({ kind: 'discardRows', rows }),
    edit(lines: TableLine[], cells: GridEdit[], stored: Stored) {
      const staged = stagedCells(lines, cells, stored);
      if (staged.length > 0) add({ kind: 'edit', cells: staged });
    },
    /** Stages the edits of a paste, and its new rows with their values. */
    paste(lines: TableLine[], { edits, rows }: GridPaste, stored: Stored) {
      const inserts = rows.map(() => ({ kind: 'insert' as const, row: newRow(), values: {} }));
      const cells = rows.flatMap((row, at) =>
        row.map((cell): StagedCell => ({ ...cell, row: inserts[at]?.row ?? '', key: null })),
      );
      const edited = [...stagedCells(lines, edits, stored), ...cells];
      const steps = edited.length > 0 ? [...inserts, { kind: 'edit' as const, cells: edited }] : inserts;
      if (steps.length > 0) add(...steps);
    },
    /**
     * Reverts the listed change of a row. Edits made before a deletion stay staged. Undo restores the change, except in
     * cells whose old value is unknown.
     */
    takeBack({ row, key, kind, cells }: ListedRow) {
      if (kind === 'insert') return add({ kind: 'delete', rows: [{ row, key: null }] });
      if (kind === 'delete') return add({ kind: 'restore', rows: [row] });
      for (const { column, from } of cells) {
        if (from === undefined) dropCell(row, column);
      }
      const known = cells.flatMap(({ column, from }) =>
        from === undefined ? [] : [{ row, key, column, cell: from, from }],
      );
      if (known.length > 0) add({ kind: 'edit', cells: known });
    },
    /** Reverts the change of one value. */
    takeBackCell({ row, key, cells }: ListedRow, column: string) {
      const { from } = cells.find((cell) => cell.column === column) ?? {};
      if (from === undefined) dropCell(row, column);
      else add({ kind: 'edit', cells: [{ row, key, column, cell: from, from }] });
    },
    /** Keeps the edits of rows in conflict. The next save expects the values that the user has now seen. */
    keepMine(rows: ListedRow[]) {
      const kept = rows.flatMap((row) =>
        row.conflict?.theirs ? [{ ...row, theirs: row.conflict.theirs }] : [],
      );
      const cells = kept.flatMap(({ row, key, cells, theirs }) =>
        cells.flatMap(({ column, to }): StagedCell[] => {
          const from = ownValue(theirs, column);
          return from === undefined ? [] : [{ row, key, column, cell: to, from, isAnswer: true }];
        }),
      );
      const deletes = kept.flatMap(({ row, key, kind, theirs }) =>
        kind === 'delete' ? [{ row, key, seen: theirs }] : [],
      );
      add(
        ...(cells.length > 0 ? [{ kind: 'edit' as const, cells }] : []),
        ...(deletes.length > 0 ? [{ kind: 'delete' as const, rows: deletes }] : []),
      );
    },
    /** Gives up the edits of rows in conflict. */
    takeTheirs(rows: ListedRow[]) {
      const cells = rows.flatMap(({ row, key, cells, conflict }) =>
        cells.flatMap(({ column, from }): StagedCell[] => {
          const cell = ownValue(conflict?.theirs, column) ?? from;
          return cell === undefined ? [] : [{ row, key, column, cell, from: cell }];
        }),
      );
      const restored = rows.flatMap(({ row, kind }) => (kind === 'delete' ? [row] : []));
      for (const { row, cells } of rows) {
        for (const { column, from } of cells) {
          if (from === undefined) dropCell(row, column);
        }
      }
      add(
        ...(cells.length > 0 ? [{ kind: 'edit' as const, cells }] : []),
        ...(restored.length > 0 ? [{ kind: 'restore' as const, rows: restored }] : []),
      );
    },
    insert: () => add({ kind: 'insert', row: newRow(), values: {} }),
    /** `seenOf`: what the window shows of a row. */
    remove(lines: TableLine[], seenOf: (line: TableLine) => Record<string, Cell> = () => ({})) {
      const rows = lines.flatMap((line) =>
        line.id !== null && line.state !== 'deleted'
          ? [{ row: line.id, key: line.key, seen: seenOf(line) }]
          : [],
      );
      if (rows.length > 0) add({ kind: 'delete', rows });
    },
    restore(lines: TableLine[]) {
      const rows = lines.flatMap(({ id, state }) => (id !== null && state === 'deleted' ? [id] : []));
      if (rows.length > 0) add({ kind: 'restore', rows });
    },
  };
}

/** Returns the last known value of a cell in the database; undefined if it is not known. */
type Stored = (line: TableLine, column: string) => Cell | undefined;

function newRow(): string {
  return `new ${crypto.randomUUID()}`;
}

function stagedCells(lines: TableLine[], cells: GridEdit[], stored: Stored): StagedCell[] {
  return cells.flatMap(({ line: index, column, cell, of, problem }) => {
    const line = (of as TableLine | undefined) ?? lines[index];
    if (!line || line.id === null) return [];
    const from = stored(line, column);
    const reason = problem !== undefined && { problem };
    return [{ row: line.id, key: line.key, column, cell, ...(from !== undefined && { from }), ...reason }];
  });
}

type NewStep = Step extends infer One ? (One extends Step ? Omit<One, 'id'> : never) : never;

/** Why nothing in this table can be changed; undefined if something can. */
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
