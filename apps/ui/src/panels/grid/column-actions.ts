import type { PlacedColumn } from './layout.ts';
import type { GridModel } from './model.ts';
import type { DataGridProps } from './types.ts';

/** The actions on one column, by its position. */
export function createColumnActions(
  context: () => { props: DataGridProps; model: GridModel },
  say: (notice: string) => void,
) {
  return {
    /** Without `order`, each call sets the next order: ascending, descending, then none. */
    sort(index: number, options: { order?: 'asc' | 'desc' | null; add?: boolean } = {}) {
      const { props, model } = context();
      const column = model.columns[index];
      if (!column || !props.onSort) return;
      if (column.unsortable) return say(column.unsortable);
      const next = column.sort === undefined ? 'asc' : column.sort === 'asc' ? 'desc' : null;
      const { order = next, add = false } = options;
      props.onSort(column.name, order, { add });
    },

    hideColumn(index: number) {
      const { props, model } = context();
      const column = model.columns[index];
      if (column && model.columns.length > 1) props.columnActs?.hide(column.name);
    },
    pinColumn(index: number, isPinned: boolean) {
      const { props, model } = context();
      const column = model.columns[index];
      if (column) props.columnActs?.pin(column.name, isPinned);
    },
    /** Moves a column past its right neighbour (1) or left neighbour (-1). Pinned columns stay among pinned columns. */
    moveColumn(index: number, by: 1 | -1) {
      const { props, model } = context();
      const column = model.columns[index];
      const neighbour = model.columns[index + by];
      if (!column || !neighbour || !canPass(column, neighbour)) return;
      props.columnActs?.move(column.name, { column: neighbour.name, side: by < 0 ? 'before' : 'after' });
    },
    /** Moves a column beside the target column. The moved column becomes pinned or unpinned like the target. */
    dropColumn(from: number, to: number, side: 'before' | 'after') {
      const { props, model } = context();
      const column = model.columns[from];
      const target = model.columns[to];
      if (!column || !target || from === to || target.isFixed) return;
      if (column.isPinSet !== target.isPinSet) props.columnActs?.pin(column.name, target.isPinSet);
      props.columnActs?.move(column.name, { column: target.name, side });
    },
  };
}

/** Whether a column can move past its neighbour: both are pinned or both are unpinned, and neither is fixed. */
export function canPass(column: PlacedColumn, neighbour: PlacedColumn | undefined): boolean {
  return neighbour?.isPinSet === column.isPinSet && !neighbour.isFixed && !column.isFixed;
}
