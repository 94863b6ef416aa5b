import { stagedRows } from '@trestle/core/staged-edits';
import type { RowKey } from '@trestle/driver-kit';
import { shortcutText } from '../controls/keys/kbd.tsx';
import { showError, showToast } from '../data/messages/toast.tsx';
import type { DescribedTableProps, TablePlaces, TableRights, TableStaging } from './table-parts.ts';
import type { TableView } from './use-table-view.ts';

/** The actions of a tab, for its bars, shortcuts, palette commands and empty states. */
export function tableActions(input: {
  tab: Pick<DescribedTableProps, 'store' | 'table' | 'onOpenRow'>;
  view: Pick<TableView, 'asked' | 'reload'>;
  rights: Pick<TableRights, 'insertRefusal'>;
  staging: TableStaging;
  places: TablePlaces;
}) {
  const { view, places } = input;
  const { store, table, onOpenRow } = input.tab;
  const { edits, staged, save, lines } = input.staging;
  // Staged edits belong to one partition: rows of another partition may have the same keys.
  const changePartition = (partition: string) => {
    if (staged.counts.total > 0) {
      showToast({ title: 'Save or discard the changes first', description: 'They belong to this tenant.' });
      return;
    }
    // A search near an object ends: the object is in the old partition.
    const search = view.asked.search?.mode === 'near_object' ? null : view.asked.search;
    store.setState({ partition, offset: 0, search });
  };
  return {
    insert() {
      if (input.rights.insertRefusal) return;
      staged.insert();
      // The new row is drawn in the next frame, below the other new rows.
      const place = lines.filter(({ at }) => at === undefined).length;
      requestAnimationFrame(() => places.grid.current?.goTo(place));
    },
    /** Goes to a staged row: in the grid if the page has it, otherwise by its key. */
    goToRow(row: string, key: RowKey | null, column: string | undefined) {
      const place = lines.findIndex(({ id }) => id === row);
      store.setState({ shows: 'rows' });
      // The list of changes closes and returns the focus in the next frame. The row must get the focus after that.
      if (place >= 0) requestAnimationFrame(() => places.grid.current?.goTo(place, column));
      else if (key) onOpenRow?.(table, key, view.asked.partition);
    },
    /** Moves the focus to the search box of the current view, if it has one. */
    goToSearch() {
      places.searchBar.current?.focus();
      for (const { current: field } of [places.labQuery, places.mapSearch]) {
        field?.focus();
        field?.select();
      }
    },
    openFilters: () => places.filterBar.current?.open(),
    clearFilters: () => store.setState({ filters: [], filtersOff: [], offset: 0 }),
    firstPage: () => store.setState({ offset: 0 }),
    changePartition,
    /** Call it after an activation. Shows the partition, unless the user has chosen another one meanwhile. */
    showActivated(partition: string) {
      if (store.getState().partition === view.asked.partition) changePartition(partition);
    },
    /** Checks whether new rows without an answer were stored, and reloads the rows. */
    async lookForUnknown() {
      try {
        await save.lookAgain();
        const now = edits.get();
        const { inserted } = stagedRows(now);
        if (now.unknown.some((row) => inserted.has(row))) {
          showToast({
            title: 'The database cannot tell whether the new rows were stored',
            description: 'Look for them in the table. Then send them again, or discard them.',
          });
        }
      } catch (error) {
        showError('Trestle could not check the rows', error);
      }
      view.reload();
    },
    /** Returns to the list of partitions. */
    leavePartition: () => store.setState({ partition: undefined, offset: 0 }),
    toggleInspector: () => store.setState(({ inspectorOpen }) => ({ inspectorOpen: !inspectorOpen })),
    toggleStructure: () =>
      store.setState(({ shows }) => ({ shows: shows === 'structure' ? 'rows' : 'structure' })),
    // The message of the last save is about the edits at that time, so undo, redo and discard remove it.
    undo() {
      staged.undo();
      save.clearError();
    },
    redo() {
      staged.redo();
      save.clearError();
    },
    // Redo can restore the edits, so no question is needed.
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
