export { DataGrid } from './data-grid.tsx';
export type {
  DataGridHandle,
  DataGridProps,
  GridCell,
  GridColumn,
  GridLine,
  GridScroll,
  GridSelection,
} from './types.ts';
