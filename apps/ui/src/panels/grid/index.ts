export { unsetText } from './cell-display.ts';
export { CellValue } from './cell-value.tsx';
export { DataGrid } from './data-grid.tsx';
export { nullRefusal } from './fit-pasted.ts';
export { cutCellRefusal } from './model.ts';
export type {
  ColumnActs,
  DataGridHandle,
  GridAct,
  GridCell,
  GridColumn,
  GridEdit,
  GridLine,
  GridNewCell,
  GridPaste,
  GridReference,
} from './types.ts';
export { placeOf } from './use-anchored-lines.ts';
