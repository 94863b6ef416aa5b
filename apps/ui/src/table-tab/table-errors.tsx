import { Button } from '../controls/buttons/button.tsx';
import { ErrorNote } from '../data/messages/error-note.tsx';
import styles from './table-tab.module.css';
import type { Table } from './use-table.ts';

/** Above the rows: an error that neither the filters nor the search box show, with a way to continue. */
export function TableErrors({ table }: { table: Table }) {
  const { error, fault, shown, reload } = table.view;
  // Without a search box, nothing else shows the error of a stored search.
  const isInSearchBox = fault === 'search' && table.search !== null;
  if (error === null || !shown || fault === 'filters' || isInSearchBox) return null;
  return (
    <ErrorNote error={error} className={styles.note}>
      {fault === 'depth' && table.onExport ? (
        <Button size="small" onClick={() => table.onExport?.()}>
          Export…
        </Button>
      ) : (
        <Button size="small" onClick={reload}>
          Retry
        </Button>
      )}
    </ErrorNote>
  );
}
