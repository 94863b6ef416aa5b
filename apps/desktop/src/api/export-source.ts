import { AppError, type Core, type DataAccess, onlyColumns } from '@trestle/core';
import {
  type Cell,
  type ColumnHead,
  cellAt,
  cellToText,
  type ExportRequest,
  isCutCell,
  type RowKey,
  type RowSet,
} from '@trestle/driver-kit';

/** The rows to export: all rows that match the filters, or rows that the window shows. */
export type ExportedRows =
  | { kind: 'all' }
  | {
      kind: 'keys';
      keys: RowKey[];
      /**
       * Columns of the window's page that the database does not store, such as the distance of a search. `cells` has one
       * list per column.
       */
      computed?: { columns: ColumnHead[]; cells: Cell[][] };
    }
  /** For a table whose rows have no key. */
  | { kind: 'page'; limit: number; offset: number };

type ExportTable = ExportRequest & { columns: string[] };

export function exportSource(
  data: Pick<Core['data'], 'exportRows' | 'readCells' | 'browse'>,
  at: DataAccess,
  { request, rows }: { request: ExportTable; rows: ExportedRows },
): AsyncIterable<RowSet> {
  switch (rows.kind) {
    case 'all':
      return allRows(data, at, request);
    case 'keys':
      return rowsByKey(data, at, { request, rows });
    case 'page':
      return pageOf(data, at, { ...request, limit: rows.limit, offset: rows.offset });
  }
}

async function* allRows(
  data: Pick<Core['data'], 'exportRows'>,
  at: DataAccess,
  request: ExportTable,
): AsyncGenerator<RowSet> {
  for await (const rows of data.exportRows(at, { ...request, exact: true }))
    yield onlyColumns(rows, request.columns);
}

async function* pageOf(
  data: Pick<Core['data'], 'browse'>,
  at: DataAccess,
  request: ExportTable & { limit: number; offset: number },
): AsyncGenerator<RowSet> {
  yield assertWhole(onlyColumns((await data.browse(at, { ...request, exact: true })).rows, request.columns));
}

/** How many rows one read gets. With vectors, the rows may have some megabytes. */
const keysAtOnce = 200;

/** The rows in the order of the keys. A row that was deleted meanwhile is left out. */
async function* rowsByKey(
  data: Pick<Core['data'], 'readCells'>,
  at: DataAccess,
  { request, rows }: { request: ExportTable; rows: ExportedRows & { kind: 'keys' } },
): AsyncGenerator<RowSet> {
  const { table, partition, columns } = request;
  const names = Object.keys(rows.keys[0] ?? {});
  for (let from = 0; from < rows.keys.length; from += keysAtOnce) {
    const keys = rows.keys.slice(from, from + keysAtOnce);
    const found = await data.readCells(at, {
      table,
      ...(partition !== undefined && { partition }),
      keys,
      columns,
      exact: true,
    });
    const places = placesOf(found, names, new Map(keys.map((key, index) => [nameOf(key, names), index])));
    yield withComputed(assertWhole(onlyColumns(found, columns)), {
      columns: rows.computed?.columns ?? [],
      cells: (rows.computed?.cells ?? []).map((cells) =>
        places.map((place) => (place < 0 ? null : (cells[from + place] ?? null))),
      ),
    });
  }
}

function nameOf(key: RowKey, names: string[]): string {
  return JSON.stringify(names.map((name) => cellToText(key[name] ?? null)));
}

/** For each row that was found, the index of its key, or -1 if no key matches. */
function placesOf(found: RowSet, names: string[], places: Map<string, number>): number[] {
  const columns = names.map((name) => found.columns.findIndex((head) => head.name === name));
  return Array.from({ length: found.rowCount }, (_, row) => {
    const key = columns.map((column) => cellToText(column < 0 ? null : cellAt(found, column, row)));
    return places.get(JSON.stringify(key)) ?? -1;
  });
}

function withComputed(rows: RowSet, { columns, cells }: { columns: ColumnHead[]; cells: Cell[][] }): RowSet {
  return {
    ...rows,
    columns: [...rows.columns, ...columns],
    values: [...rows.values, ...cells.map((column) => ({ kind: 'cells' as const, cells: column }))],
  };
}

/** A read by key or of a page may cut very large values. A file must not contain a cut value. */
function assertWhole(rows: RowSet): RowSet {
  rows.values.forEach((values, index) => {
    if (values.kind !== 'cells' || !values.cells.some(isCutCell)) return;
    throw new AppError({
      code: 'unsupported',
      message: `A value of ${rows.columns[index]!.name} is too large for an export of single rows`,
      hint: 'Set a filter that matches these rows, and export the rows that match it.',
    });
  });
  return rows;
}
