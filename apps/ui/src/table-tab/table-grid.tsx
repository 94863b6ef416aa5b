import {
  briefCell,
  type Cell,
  cellAt,
  type RowKey,
  type Sort,
  type TableDescription,
} from '@trestle/driver-kit';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../controls/buttons/button.tsx';
import { ErrorNote } from '../data/messages/error-note.tsx';
import { showToast } from '../data/messages/toast.tsx';
import { filterForCell } from '../panels/filter-bar/index.ts';
import { DataGrid, type DataGridHandle } from '../panels/grid/index.ts';
import { duplicates } from './duplicate-rows.ts';
import { createCursor, GridInspector } from './grid-inspector.tsx';
import { InspectorSplit } from './inspector-split.tsx';
import { ReferencePreview } from './reference-preview.tsx';
import { gridColumns, type TableLine } from './table-lines.ts';
import type { TableStore } from './table-store.ts';
import styles from './table-tab.module.css';
import type { Columns } from './use-columns.ts';
import { useDeferredCells } from './use-deferred-cells.ts';
import type { ShownPage } from './use-page.ts';
import { useReferences } from './use-references.tsx';
import type { Staged } from './use-staged.ts';

/** The page in the grid. Edits are staged. */
export function TableGrid(props: {
  connectionId: string;
  description: TableDescription;
  store: TableStore;
  shown: ShownPage;
  lines: TableLine[];
  staged: Staged;
  columns: Columns;
  /** Why nothing can be changed now. */
  refusal: string | undefined;
  onInsert(): void;
  /** Undefined if the tab cannot search for rows that are similar to a row. */
  onFindSimilar: ((key: RowKey) => void) | undefined;
  /** Opens the row that a reference points to. Undefined unless the driver can both read and find references. */
  onOpenRow: ((table: string, key: RowKey) => void) | undefined;
  /** Shows a row in its table's tab. Undefined if no tab can be opened. */
  onShowRow: ((table: string, key: RowKey) => void) | undefined;
  onColumn(name: string): void;
  onFilter(column: string): void;
  onSelect(lines: TableLine[]): void;
  /** Undefined if selected rows cannot be exported. */
  onExportRows: (() => void) | undefined;
  ref: RefObject<DataGridHandle | null>;
}) {
  const { connectionId, description, store, shown, lines, staged } = props;
  const { rows } = shown.page;
  const sort = useStore(store, (state) => state.sort);
  const { layout, acts } = props.columns;
  const inspectorOpen = useStore(store, (state) => state.inspectorOpen);
  const [cursor] = useState(createCursor);
  const found = shown.search ? rows.columns : undefined;
  const plain = useMemo(
    () => gridColumns(description, { sort: found ? [] : sort, layout }, found),
    [description, sort, layout, found],
  );
  const columns = useReferences({
    connectionId,
    table: description.name,
    partition: shown.request.partition,
    described: description.columns,
    columns: plain,
    rows,
    lines,
    enabled: props.onOpenRow !== undefined,
  });
  const deferredColumns = useMemo(
    () =>
      description.columns
        .filter(({ name, deferred, hidden }) => deferred && !hidden && !layout.hidden.includes(name))
        .map(({ name }) => name),
    [description, layout.hidden],
  );
  const deferred = useDeferredCells({
    connectionId,
    table: description.name,
    partition: shown.request.partition,
    columns: deferredColumns,
    lines,
    rows,
  });
  const late = deferredColumns.length > 0;
  const onScroll = useRememberedScroll(store);
  useTopOfNewPage(shown, props.ref);
  const at = (indices: number[]) => indices.flatMap((index) => lines[index] ?? []);

  /** The last known value in the database; undefined if it is not known. */
  const stored = (line: TableLine, column: string): Cell | undefined => {
    if (line.saved && Object.hasOwn(line.saved, column)) return line.saved[column];
    const index = rows.columns.findIndex(({ name }) => name === column);
    return index >= 0 && line.at !== undefined ? cellAt(rows, index, line.at) : undefined;
  };
  const seenOf = (line: TableLine) =>
    Object.fromEntries(
      description.columns.flatMap(({ name }): [string, Cell][] => {
        const cell = stored(line, name);
        return cell === undefined ? [] : [[name, briefCell(cell)]];
      }),
    );
  const duplicate = (indices: number[]) => {
    const { rows: copies, left } = duplicates(at(indices), description, stored);
    staged.paste(lines, { edits: [], rows: copies }, stored);
    if (left.length > 0) {
      showToast({
        title: 'Some values were not duplicated',
        description: `${left.join(', ')}: not fully loaded with the page.`,
      });
    }
    const place = lines.filter((line) => line.at === undefined).length;
    requestAnimationFrame(() => props.ref.current?.goTo(place));
  };
  const filterBy = (name: string, cell: Cell) => {
    const column = description.columns.find((candidate) => candidate.name === name);
    const read = column && filterForCell(column, cell);
    if (!read?.ok) return showToast({ title: `No filter on ${name}`, description: read?.problem });
    store.setState(({ filters }) => ({ filters: [...filters, read.filter], offset: 0 }));
  };
  const findSimilar = (index: number) => {
    const key = lines[index]?.key;
    if (key) props.onFindSimilar?.(key);
  };
  const closeInspector = () => {
    store.setState({ inspectorOpen: false });
    props.ref.current?.focus();
  };
  return (
    <>
      {deferred.error !== null && (
        <ErrorNote error={deferred.error} className={styles.note}>
          <Button size="small" onClick={deferred.retry}>
            Retry
          </Button>
        </ErrorNote>
      )}
      <InspectorSplit
        store={store}
        onClose={closeInspector}
        inspector={
          inspectorOpen && (
            <GridInspector
              {...{ connectionId, description, cursor, columns, lines, stored }}
              partition={shown.request.partition}
              late={{ columns: deferredColumns, cell: deferred.cell, readLine: deferred.readLine }}
              refusal={props.refusal}
              onStage={(line, column, cell) => staged.edit(lines, [{ line, column, cell }], stored)}
              onGoTo={(line, column) => props.ref.current?.goTo(line, column, { focus: false })}
              onOpenReference={({ table, key }) => props.onShowRow?.(table, key)}
              onClose={closeInspector}
            />
          )
        }
      >
        {(covered) => (
          <DataGrid
            ref={props.ref}
            label={`Rows of ${description.name}`}
            rows={rows}
            columns={columns}
            lines={lines}
            firstRowNumber={shown.request.offset + 1}
            readOnly={props.refusal}
            deferredCell={late ? deferred.cell : undefined}
            onNeedCells={deferred.onNeedCells}
            onVisibleLines={late ? deferred.onVisibleLines : undefined}
            onSort={(column, order, { add }) =>
              store.setState({ sort: nextSort(add ? sort : [], column, order), offset: 0 })
            }
            onEdit={(cells) => staged.edit(lines, cells, stored)}
            onPaste={(paste) => staged.paste(lines, paste, stored)}
            insertRefusal={description.readOnly?.insert}
            onDuplicateRows={description.readOnly?.insert ? undefined : duplicate}
            onInsertRow={description.readOnly?.insert ? undefined : props.onInsert}
            deleteRefusal={description.readOnly?.delete}
            onDeleteRows={(indices) => staged.remove(at(indices), seenOf)}
            onRestoreRows={(indices) => staged.restore(at(indices))}
            onFilterBy={filterBy}
            onFilter={props.onFilter}
            onFindSimilar={props.onFindSimilar && findSimilar}
            onOpenReference={({ table, key }) => props.onOpenRow?.(table, key)}
            referencePreview={
              props.onOpenRow &&
              ((target) => (
                <ReferencePreview
                  connectionId={connectionId}
                  partition={shown.request.partition}
                  target={target}
                />
              ))
            }
            onExportRows={props.onExportRows}
            onSelectionChange={({ active, lines: covered }) => {
              cursor.setState({ active, id: lines[active.line]?.id ?? null });
              props.onColumn(active.column);
              props.onSelect(at(covered));
            }}
            columnActs={acts}
            initialScroll={store.getState().scroll}
            onScroll={onScroll}
            covered={covered}
          />
        )}
      </InspectorSplit>
    </>
  );
}

/** The sort order after a column gets a new order, or none (null). A column that is already sorted keeps its rank. */
function nextSort(others: Sort[], column: string, order: Sort['order'] | null): Sort[] {
  const known = others.some((entry) => entry.column === column);
  if (!order) return others.filter((entry) => entry.column !== column);
  const next = { column, order };
  return known ? others.map((entry) => (entry.column === column ? next : entry)) : [...others, next];
}

/** Scrolls to the top when the page of another request is shown. If the same page is read again, the position stays. */
function useTopOfNewPage({ request, search }: ShownPage, grid: RefObject<DataGridHandle | null>): void {
  const place = JSON.stringify([request, search]);
  const before = useRef(place);
  useEffect(() => {
    if (before.current === place) return;
    before.current = place;
    grid.current?.toTop();
  }, [place, grid]);
}

/** The scroll position is stored when scrolling stops: storing it at every frame would slow the scrolling. */
function useRememberedScroll(store: TableStore) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (scroll: { top: number; left: number }) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => store.setState({ scroll }), 200);
  };
}
