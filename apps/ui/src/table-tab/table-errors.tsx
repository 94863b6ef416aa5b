import { Button } from '../shared/button.tsx';
import { ErrorNote } from '../shared/error-note.tsx';
import styles from './table-tab.module.css';
import type { Table } from './use-table.ts';

/** Above the rows: an error that neither the filters nor the search caused, with a way to continue. */
export function TableErrors({ table }: { table: Table }) {
  const { error, fault, shown, reload } = table.view;
  if (error === null || !shown || fault === 'filters' || fault === 'search') return null;
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
