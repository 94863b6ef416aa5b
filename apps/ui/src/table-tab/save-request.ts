import { changeSet, countInvalid, stagedRows } from '@trestle/core/staged-edits';
import type { ChangeSet } from '@trestle/driver-kit';
import { showToast } from '../data/messages/toast.tsx';
import type {
  DescribedTableProps,
  TableDialog,
  TablePlaces,
  TableRights,
  TableStaging,
} from './table-parts.ts';

/** The ways to start a save. The connection's Safe Mode may ask the user first. */
export function saveRequests(input: {
  tab: DescribedTableProps;
  partition: string | undefined;
  rights: TableRights;
  staging: TableStaging;
  places: TablePlaces;
  /** Shows a dialog of the tab; null closes it. */
  show(dialog: TableDialog | null): void;
}) {
  const { partition, show } = input;
  const { refusal } = input.rights;
  const { edits, staged, save, lines } = input.staging;
  const { table, safeMode } = input.tab;

  /**
   * Whether a staged cell does not fit its column. If so, shows a message and goes to such a cell if the page has one.
   * Such cells would fail one by one, after other rows were saved, so all of them must be corrected first.
   */
  const isBlocked = (): boolean => {
    const count = countInvalid(stagedRows(edits.get()));
    if (count === 0) return false;
    showToast({
      level: 'error',
      title: count === 1 ? 'A cell does not fit its column' : `${count} cells do not fit their columns`,
      description: 'Nothing was saved. Fix or undo the cells marked red, then save.',
    });
    const line = lines.findIndex(({ invalid }) => invalid !== undefined);
    const [column] = Object.keys(lines[line]?.invalid ?? {});
    if (line >= 0) input.places.grid.current?.goTo(line, column);
    return true;
  };
  const saveNow = async (changes: ChangeSet) => {
    show(null);
    if (isBlocked()) return;
    if (await save.start(changes)) return;
    showToast({
      title: 'Nothing was saved',
      description: 'Another window changed these rows or is saving them. Look at them and save again.',
    });
  };
  const request = (changes: ChangeSet) => {
    if (changes.changes.length === 0) return;
    if (refusal) return sayRefused(refusal, safeMode);
    if (save.progress) return showToast({ title: 'A save of this table is running' });
    if (isBlocked()) return;
    if (safeMode === 'confirm') show({ kind: 'confirm', rows: changes.changes.map(({ id }) => id) });
    else void saveNow(changes);
  };
  return {
    saveNow,
    /** Shows the statements that a save would send. */
    preview: () => void (isBlocked() || show({ kind: 'preview' })),
    // Reads the edits from the store: Mod+S also commits an open editor, and that edit is not rendered yet.
    save: () => request(changeSet(table, partition, edits.get())),
    /** Saves some of the staged rows. */
    saveRows: (rows: string[]) =>
      request(changesOfRows(changeSet(table, partition, edits.get()), new Set(rows))),
    /** Sends again the new rows that may have been stored. */
    sendAgain() {
      const rows = new Set(staged.unknown);
      request(changesOfRows(changeSet(table, partition, { ...edits.get(), unknown: [] }), rows));
    },
    /** The changes that a dialog shows: those of `rows`, or all that a save would send. */
    dialogChanges: (rows: string[] | undefined) =>
      rows
        ? changesOfRows(changeSet(table, partition, { ...staged.edits, unknown: [] }), new Set(rows))
        : changeSet(table, partition, staged.edits),
  };
}

export type SaveRequests = ReturnType<typeof saveRequests>;

/** Says why nothing is saved. The edits may have been staged when the table could still be changed. */
function sayRefused(refusal: string, safeMode: DescribedTableProps['safeMode']): void {
  const remedy =
    safeMode === 'readOnly' ? ' To save them, edit the connection and change Safe Mode under Advanced.' : '';
  showToast({
    level: 'error',
    title: 'Nothing was saved',
    description: `${refusal.replace(/\.$/, '')}. The changes are still staged.${remedy}`,
  });
}

function changesOfRows(set: ChangeSet, rows: Set<string>): ChangeSet {
  return { ...set, changes: set.changes.filter(({ id }) => rows.has(id)) };
}
