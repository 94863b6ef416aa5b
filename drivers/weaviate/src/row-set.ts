import {
  type ColumnHead,
  type ColumnValues,
  float32ToNumber,
  type Json,
  type RowSet,
} from '@trestle/driver-kit';
import { cellOf, type StoredVector, vectorOf, type WeaviateObject } from './cells.ts';
import type { GridColumn } from './columns.ts';

export function rowSetOf(objects: WeaviateObject[], columns: GridColumn[]): RowSet {
  return {
    rowCount: objects.length,
    columns: columns.map(headOf),
    values: columns.map((column) =>
      column.source.kind === 'vector'
        ? vectorValues(
            objects.map((object) => vectorOf(object, (column.source as { name: string | null }).name)),
          )
        : { kind: 'cells', cells: objects.map((object) => cellOf(object, column)) },
    ),
  };
}

export function headOf({ name, type, nativeType }: GridColumn): ColumnHead {
  return { name, type, nativeType };
}

/**
 * One Float32Array if all vectors that exist are plain lists of the same length. Otherwise the vectors stay JSON, for
 * example multi-vectors.
 */
export function vectorValues(vectors: (StoredVector | undefined)[]): ColumnValues {
  const present = vectors.filter(isFilled);
  const dimensions = present[0]?.length ?? 0;
  const isFlat = present.every((vector) => vector.length === dimensions && typeof vector[0] === 'number');
  if (!isFlat) {
    return { kind: 'cells', cells: vectors.map((vector) => (isFilled(vector) ? listOf(vector) : null)) };
  }
  const floats = new Float32Array(vectors.length * dimensions);
  const marks = new Uint8Array(vectors.length);
  vectors.forEach((vector, row) => {
    if (!isFilled(vector)) return;
    floats.set(vector as ArrayLike<number>, row * dimensions);
    marks[row] = 1;
  });
  return { kind: 'vectors', dimensions, floats, present: marks };
}

function isFilled(vector: StoredVector | undefined): vector is Json[] | Float32Array {
  return (Array.isArray(vector) || vector instanceof Float32Array) && vector.length > 0;
}

function listOf(vector: Json[] | Float32Array): Json[] {
  return Array.isArray(vector) ? vector : Array.from(vector, float32ToNumber);
}
