import { type Cell, cellAt, cellToText, type Filter, type RowKey, type RowSet } from '@trestle/driver-kit';
import { distanceBetween, prepared } from '@trestle/driver-kit/nearest';
import { AppError } from '../errors.ts';
import type { Data, DataAccess, NearestRequest, NearestRow } from '../types.ts';

type Reads = Pick<Data, 'exportRows'>;

/**
 * The rows nearest to one row, for a database without a vector index. The result is exact, because every row that
 * matches the filters is read. Vectors are compared as they arrive, and only the given row's vector is kept.
 */
export async function nearestRows(
  data: Reads,
  at: DataAccess,
  request: NearestRequest,
): Promise<NearestRow[]> {
  const { key, vector, title, limit, distance: by, ...where } = request;
  const names = Object.keys(key);
  const columns = [...new Set([...names, vector, ...(title === undefined ? [] : [title])])];
  const all = { ...where, columns, vectors: [vector], sort: [] };
  const from = await vectorOf(data, at, { ...all, filters: filtersOf(key), match: 'all' }, vector);
  const nearest: NearestRow[] = [];
  for await (const rows of data.exportRows(at, all)) {
    for (const { row, distance } of distances(rows, vector, { from, distance: by })) {
      if (nearest.length >= limit && distance >= nearest.at(-1)!.distance) continue;
      const found = { key: keyAt(rows, row, names), title: cellIn(rows, row, title), distance };
      if (names.every((name) => cellToText(found.key[name]!) === cellToText(key[name]!))) continue;
      const place = nearest.findIndex((other) => other.distance > distance);
      nearest.splice(place < 0 ? nearest.length : place, 0, found);
      nearest.length = Math.min(nearest.length, limit);
    }
  }
  return nearest;
}

async function vectorOf(
  data: Reads,
  at: DataAccess,
  request: Parameters<Reads['exportRows']>[1],
  vector: string,
): Promise<Float32Array> {
  for await (const rows of data.exportRows(at, request)) {
    const values = rows.values[rows.columns.findIndex(({ name }) => name === vector)];
    if (values?.kind === 'vectors' && values.present[0]) return values.floats.slice(0, values.dimensions);
  }
  throw new AppError({ code: 'not_found', message: 'This row has no vector, or no longer exists' });
}

function* distances(
  rows: RowSet,
  vector: string,
  to: Pick<NearestRequest, 'distance'> & { from: Float32Array },
) {
  const values = rows.values[rows.columns.findIndex(({ name }) => name === vector)];
  if (values?.kind !== 'vectors' || values.dimensions !== to.from.length) return;
  const { floats, present, dimensions } = values;
  const from = prepared(to.from, dimensions, to.distance);
  const all = prepared(floats, dimensions, to.distance);
  const between = distanceBetween(to.distance);
  for (let row = 0; row < rows.rowCount; row++) {
    if (!present[row]) continue;
    const distance = between(from, 0, all, row * dimensions, dimensions);
    // A number that is too large for a float32 becomes infinity. A row with such a number is left out.
    if (Number.isFinite(distance)) yield { row, distance: Math.max(0, distance) };
  }
}

function filtersOf(key: RowKey): Filter[] {
  return Object.entries(key).map(([column, cell]) => ({
    column,
    operator: 'equals',
    value: typeof cell === 'number' || typeof cell === 'boolean' ? cell : cellToText(cell),
  }));
}

function keyAt(rows: RowSet, row: number, names: string[]): RowKey {
  return Object.fromEntries(names.map((name) => [name, cellIn(rows, row, name)]));
}

function cellIn(rows: RowSet, row: number, column: string | undefined): Cell {
  const at = rows.columns.findIndex(({ name }) => name === column);
  return at < 0 ? null : cellAt(rows, at, row);
}
