import { Inbox, Plus } from 'lucide-react';
import { Button } from '../shared/button.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { ErrorNote } from '../shared/error-note.tsx';
import styles from './table-tab.module.css';

/** The page came and has no rows: why, and the one thing to do about it. */
export function NoRows(props: {
  table: string;
  filtered: boolean;
  /** The page lies behind the last row. */
  beyond: boolean;
  insertRefusal: string | undefined;
  onClearFilters(): void;
  onFirstPage(): void;
  onInsert(): void;
}) {
  if (props.filtered && !props.beyond) {
    return (
      <EmptyState
        title="No rows match the filters"
        action={<Button onClick={props.onClearFilters}>Clear filters</Button>}
      />
    );
  }
  if (props.beyond) {
    return (
      <EmptyState
        title="There are no rows on this page"
        action={<Button onClick={props.onFirstPage}>Go to the first page</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon={<Inbox size={28} strokeWidth={1.5} aria-hidden />}
      title={`${props.table} has no rows`}
      action={
        props.insertRefusal === undefined && (
          <Button icon={<Plus size={14} aria-hidden />} onClick={props.onInsert}>
            Add a row
          </Button>
        )
      }
    >
      {props.insertRefusal}
    </EmptyState>
  );
}

/** There is no page to show: it failed, was given up, or needs a partition first. */
export function NoPage(props: {
  error: unknown;
  cancelled: boolean;
  needsPartition: boolean;
  /** Given where the filters are what failed; the bar says why. */
  onClearFilters: (() => void) | null;
  onReload(): void;
}) {
  if (props.needsPartition) {
    return <EmptyState title="Choose a tenant">This table is read one tenant at a time.</EmptyState>;
  }
  if (props.onClearFilters) {
    return (
      <EmptyState
        title="The filters did not run"
        action={<Button onClick={props.onClearFilters}>Clear filters</Button>}
      />
    );
  }
  if (props.error) {
    return (
      <div className={styles.centre}>
        <ErrorNote error={props.error}>
          <Button size="small" onClick={props.onReload}>
            Retry
          </Button>
        </ErrorNote>
      </div>
    );
  }
  if (props.cancelled) {
    return (
      <EmptyState
        title="Loading was cancelled"
        action={<Button onClick={props.onReload}>Load rows</Button>}
      />
    );
  }
  return null;
}
