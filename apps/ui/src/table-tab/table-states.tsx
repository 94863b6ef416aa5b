import { Inbox, Plus, Upload } from 'lucide-react';
import { Button } from '../controls/buttons/button.tsx';
import { EmptyState } from '../controls/marks/empty-state.tsx';
import { ErrorNote } from '../data/messages/error-note.tsx';
import styles from './table-tab.module.css';

/** Shows why a loaded page has no rows, and what the user can do. */
export function NoRows(props: {
  table: string;
  /** The tenant of the page. Other tenants of the table may have rows. */
  partition: string | undefined;
  filtered: boolean;
  /** The page is past the last row. */
  beyond: boolean;
  insertRefusal: string | undefined;
  /** Set if the page belongs to a search that the user can clear. */
  onClearSearch: (() => void) | null;
  onClearFilters(): void;
  onFirstPage(): void;
  onInsert(): void;
  onImport: (() => void) | undefined;
}) {
  if (props.onClearSearch) {
    return (
      <EmptyState
        title="The search found nothing"
        action={<Button onClick={props.onClearSearch}>Clear search</Button>}
      >
        {props.filtered && 'Only rows that match the filters were searched.'}
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
      title={`${props.partition === undefined ? props.table : `Tenant ${props.partition}`} has no rows`}
      action={
        props.insertRefusal === undefined && (
          <>
            <Button icon={<Plus size={14} aria-hidden />} onClick={props.onInsert}>
              Add a row
            </Button>
            {props.onImport && (
              <Button icon={<Upload size={14} aria-hidden />} onClick={props.onImport}>
                Import a file…
              </Button>
            )}
          </>
        )
      }
    >
      {props.insertRefusal ?? 'Rows that you paste here are added too.'}
    </EmptyState>
  );
}

/** There is no page: the request was refused, failed or was cancelled. */
export function NoPage(props: {
  error: unknown;
  cancelled: boolean;
  /** Set if the request failed and the filter bar or the search box shows the error. */
  refused: 'filters' | 'search' | null;
  onClearFilters(): void;
  onClearSearch(): void;
  /** Set if the page is beyond the database's paging limit. */
  onFirstPage: (() => void) | null;
  onReload(): void;
}) {
  if (props.refused) {
    const filters = props.refused === 'filters';
    return (
      <EmptyState
        title={filters ? 'The filters did not run' : 'The search did not run'}
        action={
          <Button onClick={filters ? props.onClearFilters : props.onClearSearch}>
            {filters ? 'Clear filters' : 'Clear search'}
          </Button>
        }
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
