import { Button } from '../controls/buttons/button.tsx';
import { ErrorNote } from '../data/messages/error-note.tsx';
import styles from './table-tab.module.css';
import type { TableView } from './use-table-view.ts';

/** Above the rows: an error that neither the filters nor the search box show, with a way to continue. */
export function TableErrors(props: {
  view: Pick<TableView, 'error' | 'fault' | 'shown' | 'reload'>;
  hasSearchBox: boolean;
  onExport: (() => void) | undefined;
}) {
  const { error, fault, shown, reload } = props.view;
  // Without a search box, nothing else shows the error of a stored search.
  const isInSearchBox = fault === 'search' && props.hasSearchBox;
  if (error === null || !shown || fault === 'filters' || isInSearchBox) return null;
  return (
    <ErrorNote error={error} className={styles.note}>
      {fault === 'depth' && props.onExport ? (
        <Button size="small" onClick={props.onExport}>
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
