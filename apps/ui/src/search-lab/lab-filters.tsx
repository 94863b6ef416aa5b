import type { CountRequest, Filter, Match, TableDescription } from '@trestle/driver-kit';
import { useEffect, useMemo, useRef } from 'react';
import { entriesOf, FilterBar, type FilterBarHandle, storedEntries } from '../filter-bar/index.ts';
import styles from './search-lab.module.css';

/** The filters that every column searches within; the builder opens with them. */
export function LabFilters(props: {
  connectionId: string;
  description: TableDescription;
  within: CountRequest;
  onFilter(filters: Filter[], match: Match): void;
  onLeave(): void;
}) {
  const { within, description } = props;
  const bar = useRef<FilterBarHandle>(null);
  const columns = useMemo(() => description.columns.filter(({ hidden }) => !hidden), [description]);
  useEffect(() => bar.current?.open(), []);
  return (
    <div className={styles.filters} data-bar-area>
      <FilterBar
        ref={bar}
        connectionId={props.connectionId}
        table={description.name}
        columns={columns}
        entries={entriesOf(within.filters, [])}
        match={within.match}
        applied={within}
        onApply={(entries, match) => props.onFilter(storedEntries(entries).filters, match)}
        onLeave={props.onLeave}
      />
    </div>
  );
}
