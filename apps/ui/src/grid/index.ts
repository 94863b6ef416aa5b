export { DataGrid } from './data-grid.tsx';
export type {
  DataGridHandle,
  DataGridProps,
  GridCell,
  GridColumn,
  GridEdit,
  GridLine,
  GridScroll,
  GridSelection,
} from './types.ts';
