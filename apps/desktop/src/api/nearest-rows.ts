import { AppError, type Core, type DataAccess } from '@trestle/core';
import { type Cell, cellAt, cellToText, type Filter, type RowKey, type RowSet } from '@trestle/driver-kit';
import { z } from 'zod';
import { countRequest, rowKey } from './schemas.ts';

export const nearestRequest = countRequest.extend({
  key: rowKey,
  vector: z.string(),
  /** The distance that the driver names for this column, or `cosine` if it names none. */
  distance: z.enum(['cosine', 'euclidean']),
  /** The column by which people recognize a row. Its cell is returned with each row. */
  title: z.string().optional(),
  limit: z.int().min(1).max(100),
});

interface NearestRow {
  key: RowKey;
  title: Cell;
  /** For `cosine`: 1 minus the cosine of the angle to the given row's vector. */
  distance: number;
}

/**
 * The rows nearest to one row, for a database without a vector index. The result is exact, because every row that
 * matches the filters is read. Vectors are compared as they arrive, and only the given row's vector is kept.
 */
export async function nearestRows(
  core: Core,
  at: DataAccess,
  request: z.output<typeof nearestRequest>,
): Promise<NearestRow[]> {
  const { key, vector, title, limit, distance: by, ...where } = request;
  const names = Object.keys(key);
  const columns = [...new Set([...names, vector, ...(title === undefined ? [] : [title])])];
  const all = { ...where, columns, vectors: [vector], sort: [] };
  const from = await vectorOf(core, at, { ...all, filters: filtersOf(key), match: 'all' }, vector);
  const nearest: NearestRow[] = [];
  for await (const rows of core.data.exportRows(at, all)) {
    for (const { row, distance } of distances(rows, vector, { from, by })) {
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
  core: Core,
  at: DataAccess,
  request: Parameters<Core['data']['exportRows']>[1],
  vector: string,
): Promise<Float32Array> {
  for await (const rows of core.data.exportRows(at, request)) {
    const values = rows.values[rows.columns.findIndex(({ name }) => name === vector)];
    if (values?.kind === 'vectors' && values.present[0]) return values.floats.slice(0, values.dimensions);
  }
  throw new AppError({ code: 'not_found', message: 'This row has no vector, or no longer exists' });
}

function* distances(rows: RowSet, vector: string, to: { from: Float32Array; by: 'cosine' | 'euclidean' }) {
  const { from } = to;
  const values = rows.values[rows.columns.findIndex(({ name }) => name === vector)];
  if (values?.kind !== 'vectors' || values.dimensions !== from.length) return;
  const { floats, present, dimensions } = values;
  const length = Math.sqrt(from.reduce((sum, one) => sum + one * one, 0));
  for (let row = 0; row < rows.rowCount; row++) {
    if (!present[row]) continue;
    let dot = 0;
    let squares = 0;
    let apart = 0;
    for (let index = 0, place = row * dimensions; index < dimensions; index++, place++) {
      const value = floats[place]!;
      dot += value * from[index]!;
      squares += value * value;
      apart += (value - from[index]!) ** 2;
    }
    const both = length * Math.sqrt(squares);
    // A zero vector has no direction. It counts as perpendicular to every other vector.
    const cosine = both === 0 ? 1 : Math.max(0, 1 - dot / both);
    const distance = to.by === 'cosine' ? cosine : Math.sqrt(apart);
    // A number that is too large for a float32 becomes infinity. A row with such a number is left out.
    if (Number.isFinite(distance)) yield { row, distance };
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
