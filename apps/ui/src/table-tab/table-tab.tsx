import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../controls/buttons/button.tsx';
import { ErrorNote } from '../data/messages/error-note.tsx';
import { useDescription } from '../data/queries/table-queries.ts';
import { DescribedTable } from './described-table.tsx';
import { ProgressLine } from './loading.tsx';
import { SkeletonRows } from './skeleton-rows.tsx';
import { createTableStore, persistChanges } from './table-store.ts';
import styles from './table-tab.module.css';
import type { TableTabProps } from './types.ts';

/** The number of placeholder columns while the real ones are not known. */
const usualColumns = 6;

/** One table: its rows in pages, filtered and sorted, with staged edits. */
export function TableTab(props: TableTabProps) {
  const { connectionId, table } = props;
  const [store] = useState(() => createTableStore(props.persisted, props.pageSize));
  const onPersist = useRef(props.onPersist);
  onPersist.current = props.onPersist;
  // A child component's effect may change the state before this effect runs. `persistChanges` stores that change too.
  useEffect(() => persistChanges(store, (value) => onPersist.current?.(value)), [store]);

  const description = useDescription(connectionId, table);
  const partition = useStore(store, (state) => state.partition);
  const isFirstLoad = description.isFetching && !description.data;
  return (
    <section className={styles.tab} aria-label={partition ? `${table}, ${partition}` : table}>
      <ProgressLine active={isFirstLoad} />
      {isFirstLoad && (
        <div className={styles.firstLoad}>
          <SkeletonRows columns={usualColumns} />
        </div>
      )}
      {description.data && <DescribedTable {...props} store={store} description={description.data} />}
      {description.error && !description.data && (
        <div className={styles.centre}>
          <ErrorNote error={description.error}>
            <Button size="small" onClick={() => description.refetch()}>
              Retry
            </Button>
          </ErrorNote>
        </div>
      )}
    </section>
  );
}
