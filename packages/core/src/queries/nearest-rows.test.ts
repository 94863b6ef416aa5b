import type { RowSet } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { accessTo } from '../testing/test-core.ts';
import type { Data } from '../types.ts';
import { nearestRows } from './nearest-rows.ts';

function rowsOf(vectors: [id: number, vector: number[]][]): RowSet {
  return {
    rowCount: vectors.length,
    columns: [
      { name: 'id', type: 'int', nativeType: 'INTEGER' },
      { name: 'v', type: 'vector', nativeType: 'TEXT' },
    ],
    values: [
      { kind: 'cells', cells: vectors.map(([id]) => id) },
      {
        kind: 'vectors',
        dimensions: 2,
        floats: Float32Array.from(vectors.flatMap(([, vector]) => vector)),
        present: new Uint8Array(vectors.length).fill(1),
      },
    ],
  };
}

test.each(['cosine', 'euclidean'] as const)(
  'with %s distance, a row whose vector contains infinity is left out',
  async (distance) => {
    const own: [number, number[]] = [1, [1, 0]];
    const data = {
      async *exportRows(_at: unknown, { filters }: { filters: unknown[] }) {
        yield rowsOf(filters.length > 0 ? [own] : [[2, [1e300, 0]], own, [3, [1, 1]], [4, [1, 0.5]]]);
      },
    } as unknown as Data;
    const nearest = await nearestRows(data, accessTo('c'), {
      table: 't',
      filters: [],
      match: 'all',
      key: { id: 1 },
      vector: 'v',
      distance,
      limit: 1,
    });
    expect(nearest.map(({ key }) => key.id)).toEqual([4]);
  },
);
