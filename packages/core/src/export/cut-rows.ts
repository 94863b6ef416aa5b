import { type ColumnValues, type RowSet, weigh } from '@trestle/driver-kit';

/** Cuts the rows into parts of at most about `mostBytes`. A single row that is larger stays whole. */
export function cutRows(rows: RowSet, mostBytes: number): RowSet[] {
  if (rows.rowCount <= 1 || weigh(rows.values, mostBytes) <= mostBytes) return [rows];
  const middle = Math.ceil(rows.rowCount / 2);
  return [partOf(rows, 0, middle), partOf(rows, middle, rows.rowCount)].flatMap((half) =>
    cutRows(half, mostBytes),
  );
}

export function partOf(rows: RowSet, from: number, to: number): RowSet {
  const values = rows.values.map((column): ColumnValues => {
    if (column.kind === 'cells') return { kind: 'cells', cells: column.cells.slice(from, to) };
    const { dimensions, floats, present } = column;
    return {
      kind: 'vectors',
      dimensions,
      floats: floats.slice(from * dimensions, to * dimensions),
      present: present.slice(from, to),
    };
  });
  return { rowCount: to - from, columns: rows.columns, values };
}
