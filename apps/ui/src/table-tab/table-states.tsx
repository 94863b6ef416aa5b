import type { Partition } from '@trestle/driver-kit';
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
  /** Given where the page is of a search. */
  onClearSearch: (() => void) | null;
  onClearFilters(): void;
  onFirstPage(): void;
  onInsert(): void;
}) {
  if (props.onClearSearch) {
    return (
      <EmptyState
        title="The search found nothing"
        action={<Button onClick={props.onClearSearch}>Clear search</Button>}
      >
        {props.filtered && 'It looked only among the rows that match the filters.'}
      </EmptyState>
    );
  }
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
  /** Those to choose from, where one must be chosen first. */
  partitions: Partition[] | null;
  loadingPartitions: boolean;
  onChoosePartition(): void;
  /** Given where the filters are what failed; the bar says why. */
  onClearFilters: (() => void) | null;
  /** Given where the search is what failed; its box says why. */
  onClearSearch: (() => void) | null;
  /** Given where the page lies deeper than the database pages. */
  onFirstPage: (() => void) | null;
  onReload(): void;
}) {
  if (props.partitions) {
    if (props.loadingPartitions) return null;
    if (props.partitions.length === 0) return <EmptyState title="There are no tenants yet" />;
    return (
      <EmptyState
        title="Choose a tenant"
        action={<Button onClick={props.onChoosePartition}>Choose a tenant</Button>}
      >
        Rows are read one tenant at a time.
      </EmptyState>
    );
  }
  if (props.onClearFilters) {
    return (
      <EmptyState
        title="The filters did not run"
        action={<Button onClick={props.onClearFilters}>Clear filters</Button>}
      />
    );
  }
  if (props.onClearSearch) {
    return (
      <EmptyState
        title="The search did not run"
        action={<Button onClick={props.onClearSearch}>Clear search</Button>}
      />
    );
  }
  if (props.error) {
    return (
      <div className={styles.centre}>
        <ErrorNote error={props.error}>
          <Button size="small" onClick={props.onFirstPage ?? props.onReload}>
            {props.onFirstPage ? 'Go to the first page' : 'Retry'}
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
