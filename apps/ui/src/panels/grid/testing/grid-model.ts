import type { RowSet } from '@trestle/driver-kit';
import { lineOffsets, placeColumns } from '../layout.ts';
import type { GridModel } from '../model.ts';
import type { GridColumn, GridLine } from '../types.ts';

/** The model of a grid whose columns are 100 px wide. By default it has the columns of `rows`. */
export function gridModel(rows: RowSet, lines: GridLine[], columns?: GridColumn[]): GridModel {
  const drawn = columns ?? rows.columns.map((head, at) => ({ ...head, at }));
  return {
    ...placeColumns(drawn, rows, () => 100),
    ...{ rows, lines, offsets: lineOffsets(lines), gutterWidth: 40 },
    ...{ firstRowNumber: 1, deferredCell: undefined },
  };
}
