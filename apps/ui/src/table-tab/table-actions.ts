import type { RowKey } from '@trestle/driver-kit';
import { shortcutText } from '../shared/kbd.tsx';
import { showToast } from '../shared/toast.tsx';
import type { Table } from './use-table.ts';

/** The acts of the bars, the shortcuts and the empty states on a tab. */
export function tableActions({
  props: { store, table, onOpenRow },
  view,
  staged,
  save,
  lines,
  insertRefusal,
  grid,
  filterBar,
}: Table) {
  return {
    insert() {
      if (insertRefusal) return;
      staged.insert();
      // The new row is there with the next frame; its place is behind the other new ones.
      const place = lines.filter(({ at }) => at === undefined).length;
      requestAnimationFrame(() => grid.current?.goTo(place));
    },
    /** To a staged row: in the grid where the page has it, and otherwise by its key. */
    goToRow(row: string, key: RowKey | null, column: string | undefined) {
      const place = lines.findIndex(({ id }) => id === row);
      store.setState({ shows: 'rows' });
      // The popup that asked gives the focus back with the next frame.
      if (place >= 0) requestAnimationFrame(() => grid.current?.goTo(place, column));
      else if (key) onOpenRow?.(table, key, view.asked.partition);
    },
    openFilters: () => filterBar.current?.open(),
    clearFilters: () => store.setState({ filters: [], filtersOff: [], offset: 0 }),
    firstPage: () => store.setState({ offset: 0 }),
    // Edits go by key, and another partition may have the same keys.
    changePartition(partition: string) {
      if (staged.counts.total > 0) {
        showToast({ title: 'Save or discard the changes first', description: 'They belong to this tenant.' });
        return;
      }
      // The object a search started from is of the partition that is left.
      const search = view.asked.search?.mode === 'near_object' ? null : view.asked.search;
      store.setState({ partition, offset: 0, search });
    },
    /** Back to the list of them. */
    leavePartition: () => store.setState({ partition: undefined, offset: 0 }),
    toggleInspector: () => store.setState(({ inspectorOpen }) => ({ inspectorOpen: !inspectorOpen })),
    toggleStructure: () =>
      store.setState(({ shows }) => ({ shows: shows === 'structure' ? 'rows' : 'structure' })),
    // The words of the last save are about the edits that were there then.
    undo() {
      staged.undo();
      save.clearError();
    },
    redo() {
      staged.redo();
      save.clearError();
    },
    // Redo brings the edits back one by one, so there is nothing to ask.
    discard() {
      staged.discard();
      save.clearError();
      showToast({
        title: 'Changes discarded',
        description: `${shortcutText('Shift+Mod+Z')} brings them back one by one.`,
      });
    },
  };
}

export type TableActions = ReturnType<typeof tableActions>;
