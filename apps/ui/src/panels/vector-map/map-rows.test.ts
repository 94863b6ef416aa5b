import { expect, test } from 'vitest';
import { MapRows } from './map-rows.ts';

test('rows with vectors of another length or with Infinity are counted as rows without a vector, and add no points', () => {
  const rows = new MapRows(['id'], []);
  const take = (id: number, vector: number[]) =>
    rows.take(
      {
        rowCount: 1,
        columns: [
          { name: 'id', type: 'int', nativeType: 'int' },
          { name: 'v', type: 'vector', nativeType: 'vector' },
        ],
        values: [
          { kind: 'cells', cells: [id] },
          {
            kind: 'vectors',
            dimensions: vector.length,
            floats: new Float32Array(vector),
            present: new Uint8Array([1]),
          },
        ],
      },
      'v',
    );
  expect(take(1, [1, 2])).toEqual({ dimensions: 2, vectors: new Float32Array([1, 2]) });
  expect(take(2, [1, 2, 3])).toBeUndefined();
  expect(take(3, [3, 4])).toEqual({ dimensions: 2, vectors: new Float32Array([3, 4]) });
  expect(take(4, [1e39, 1])?.vectors).toEqual(new Float32Array(0));
  expect(rows.keys).toEqual([{ id: 1 }, { id: 3 }]);
  expect(rows.without).toBe(2);
  expect(rows.read).toBe(4);
});

test('of long values only the start is kept, and of a list only the first value', () => {
  const cells = [
    'x'.repeat(1000),
    ['red', 'x'.repeat(1000)],
    { text: 'x'.repeat(1000) },
    [],
    7,
    null,
    [true],
  ];
  const rows = new MapRows(['id'], ['about']);
  rows.take(
    {
      rowCount: cells.length,
      columns: [
        { name: 'id', type: 'int', nativeType: 'int' },
        { name: 'about', type: 'json', nativeType: 'json' },
        { name: 'v', type: 'vector', nativeType: 'vector' },
      ],
      values: [
        { kind: 'cells', cells: cells.map((_, at) => at) },
        { kind: 'cells', cells },
        {
          kind: 'vectors',
          dimensions: 1,
          floats: new Float32Array(cells.length),
          present: new Uint8Array(cells.length).fill(1),
        },
      ],
    },
    'v',
  );
  const object = `{"text":"${'x'.repeat(291)}`;
  expect(rows.values.get('about')).toEqual(['x'.repeat(300), 'red', object, null, 7, null, true]);
});
