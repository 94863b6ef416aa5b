import { AppError, type Core, type DataAccess } from '@trestle/core';
import { type Cell, type ColumnValues, cellAt, type RowSet } from '@trestle/driver-kit';

interface Named {
  table: string;
  tenant?: string | undefined;
  object_id?: string | undefined;
  object_column?: string | undefined;
}

/** The uuid that a search by object starts from: the one given, or that of the one object with this value. */
export async function findObject(
  core: Core,
  access: DataAccess,
  { table, tenant, object_id: value, object_column: column }: Named,
): Promise<string | undefined> {
  if (column === undefined || value === undefined) return value;
  const { key } = await core.data.describe(access, table);
  const { rows } = await core.data.browse(access, {
    table,
    ...(tenant !== undefined && { partition: tenant }),
    filters: [{ column, operator: 'equals', value }],
    match: 'all',
    columns: [column],
    sort: [],
    limit: maxCandidates,
    offset: 0,
  });
  const at = (name: string | undefined) => rows.columns.findIndex((head) => head.name === name);
  const candidates = Array.from({ length: rows.rowCount }, (_, row) => ({
    key: String(cellAt(rows, at(key[0]), row)),
    value: String(cellAt(rows, at(column), row)),
  }));
  // Where text matches by its words, equals finds more than the value itself.
  const exact = candidates.filter((one) => one.value === value);
  const [found, ...others] = exact.length > 0 ? exact : candidates;
  if (!found) {
    throw new AppError({
      code: 'not_found',
      message: `No object of ${table} has ${column} = ${JSON.stringify(value)}`,
      hint: 'browse_table with contains finds the exact value.',
    });
  }
  if (others.length === 0) return found.key;
  throw new AppError({
    code: 'invalid_argument',
    message: `Several objects match: ${[found, ...others].map((one) => `${one.key} (${one.value})`).join(', ')}`,
    hint: 'Pass one of these uuids as object_id, without object_column.',
    fromDatabase: true,
  });
}

const maxCandidates = 5;

/** The nearest to an object without the object itself, as many as were asked for. */
export function withoutObject(rows: RowSet, objectId: string, limit: number): RowSet {
  const isObject = (cell: Cell) => typeof cell === 'string' && cell.toLowerCase() === objectId.toLowerCase();
  const all = Array.from({ length: rows.rowCount }, (_, row) => row);
  const kept = all
    .filter(
      (row) =>
        !rows.columns.some(({ type }, column) => type === 'uuid' && isObject(cellAt(rows, column, row))),
    )
    .slice(0, limit);
  return { ...rows, rowCount: kept.length, values: rows.values.map((values) => pick(values, kept)) };
}

function pick(values: ColumnValues, rows: number[]): ColumnValues {
  if (values.kind === 'cells') return { kind: 'cells', cells: rows.map((row) => values.cells[row] ?? null) };
  const { dimensions, floats, present } = values;
  const kept = new Float32Array(rows.length * dimensions);
  rows.forEach((row, index) => {
    kept.set(floats.subarray(row * dimensions, (row + 1) * dimensions), index * dimensions);
  });
  return {
    kind: 'vectors',
    dimensions,
    floats: kept,
    present: Uint8Array.from(rows, (row) => present[row] ?? 0),
  };
}
