import type { ReadCellsRequest } from '../row-requests.ts';
import { cellAt, type RowKey, type RowSet } from '../values.ts';
import { assertContains, rowSet } from './row-shapes.ts';
import { isSameKeyCell, placeOf } from './same-name.ts';
import { AnswerMismatch, type Shape } from './shape.ts';

/** The rows of the given keys, in their order. Rows that do not exist are left out. */
export function keyedRows({ keys, columns }: ReadCellsRequest): Shape {
  const shape = rowSet({ most: keys.length, columns, distinct: true });
  return (value, spent) => {
    shape(value, spent);
    const rows = value as RowSet;
    const names = rows.columns.map(({ name }) => name);
    const keyNames = new Set<string>();
    for (const key of keys) for (const name of Object.keys(key)) keyNames.add(name);
    assertContains(names, [...keyNames], 'key column');
    const parts = [...keyNames].map((name) => {
      const place = placeOf(name, names);
      return { name, place, type: rows.columns[place]!.type };
    });
    const isRowOf = (key: RowKey, row: number) =>
      parts.every(
        ({ name, place, type }) =>
          !Object.hasOwn(key, name) || isSameKeyCell(key[name]!, cellAt(rows, place, row), type),
      );
    let next = 0;
    for (let row = 0; row < rows.rowCount; row++) {
      while (next < keys.length && !isRowOf(keys[next]!, row)) next++;
      if (next === keys.length) {
        throw new AnswerMismatch(`row ${row} is none of the rows that were asked for, or not in their order`);
      }
      next++;
    }
  };
}
