import { useQuery } from '@tanstack/react-query';
import { SearchField } from '../../controls/fields/search-field.tsx';
import { Select, type SelectOption } from '../../controls/fields/select.tsx';
import { api } from '../../data/api/api.ts';
import type { ActivityEntry, ActivityFilter } from '../../data/api/api-types.ts';
import { tokenLabel } from '../../data/connections/token-label.ts';
import { useConnections } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import styles from './activity.module.css';
import { outcomeWords } from './activity-words.ts';

/** Stands for "all": the value of a select cannot be undefined. */
const all = '';

export function ActivityFilterBar(props: { filter: ActivityFilter; onChange(filter: ActivityFilter): void }) {
  const { filter } = props;
  const connections = useConnections().data ?? [];
  const names = useQuery({
    queryKey: [...queryKeys.activity, 'names'],
    queryFn: ({ signal }) => api.activity.names.query(undefined, { signal }),
    staleTime: 0,
    refetchInterval: 10_000,
  }).data;
  const set = (patch: ActivityFilter) => props.onChange({ ...filter, ...patch });
  const choice = (key: Choice, label: string, options: SelectOption<string>[]) => (
    <Select
      size="small"
      aria-label={label}
      value={filter[key] ?? all}
      options={[{ value: all, label: `Every ${label.toLowerCase()}` }, ...options]}
      onValueChange={(value) => set({ [key]: value === all ? undefined : value })}
    />
  );
  return (
    <search className={styles.filter} aria-label="Filter the activity">
      <SearchField label="Find text" value={filter.text ?? ''} onValueChange={(text) => set({ text })} />
      {choice('outcome', 'Outcome', outcomes)}
      {choice(
        'connectionId',
        'Connection',
        connections.map(({ id, name }) => ({ value: id, label: name })),
      )}
      {choice('clientName', 'Client', asOptions(names?.clients))}
      {choice(
        'tokenName',
        'Token',
        (names?.tokens ?? []).map((value) => ({ value, label: tokenLabel(value) })),
      )}
      {choice('action', 'Action', asOptions(names?.actions))}
    </search>
  );
}

type Choice = Exclude<keyof ActivityFilter, 'text' | 'since' | 'until'>;

const outcomes = (Object.keys(outcomeWords) as ActivityEntry['outcome'][]).map((value) => ({
  value: value as string,
  label: outcomeWords[value],
}));

function asOptions(values: string[] = []): SelectOption<string>[] {
  return values.map((value) => ({ value, label: value }));
}
