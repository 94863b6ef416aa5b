import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Download, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import { exactWords } from '../../controls/text/date-words.ts';
import { api, readFailure } from '../../data/api/api.ts';
import type { ActivityEntry, ActivityFilter } from '../../data/api/api-types.ts';
import { download } from '../../data/api/download.ts';
import { appFetch } from '../../data/api/window-key.ts';
import { tokenLabel } from '../../data/connections/token-label.ts';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import { RemovalNote } from '../../data/messages/removal-note.tsx';
import { removalWords } from '../../data/messages/removal-words.ts';
import { useConnections } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import styles from './activity.module.css';
import { ActivityFilterBar } from './activity-filter.tsx';
import { checkWords, connectionWords, isFiltered, outcomeWords, setParts, sizeOf } from './activity-words.ts';
import shared from './integrations.module.css';

const pageSize = 100;

/** The activity log, newest first. */
export function ActivityPage({ onConnect }: { onConnect(): void }) {
  const [filter, setFilter] = useState<ActivityFilter>({});
  const log = useInfiniteQuery({
    queryKey: [...queryKeys.activity, filter],
    queryFn: ({ pageParam, signal }) =>
      api.activity.list.query(
        { ...filter, limit: pageSize, ...(pageParam !== null && { before: pageParam }) },
        { signal },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)?.id),
    // New rows load automatically while only the newest page is loaded. Once the user has loaded older rows, the list
    // must not move.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : 2000),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const removed = useQuery({
    queryKey: [...queryKeys.activity, 'removed'],
    queryFn: ({ signal }) => api.activity.removed.query(undefined, { signal }),
    staleTime: 0,
  });
  const { activity = null, exports = null } = removed.data ?? {};
  const removals = [
    ...(activity
      ? [removalWords(activity, ['entry', 'entries'], 'for their age or the storage limits')]
      : []),
    ...(exports ? [removalWords(exports, ['exported file', 'exported files'])] : []),
  ];
  const rows = log.data?.pages.flat() ?? [];
  return (
    <div className={shared.filling}>
      <ActivityFilterBar filter={filter} onChange={setFilter} />
      {log.error && <ErrorNote error={log.error} />}
      {log.data && rows.length === 0 && (
        <EmptyState
          title={isFiltered(filter) ? 'No row matches the filter' : 'The log is empty'}
          action={
            isFiltered(filter) ? (
              <Button onClick={() => setFilter({})}>Clear filter</Button>
            ) : (
              <Button onClick={onConnect}>Connect a client</Button>
            )
          }
        />
      )}
      {rows.length > 0 && (
        <div className={styles.scroll}>
          <ol className={styles.rows} aria-label="Activity">
            {rows.map((entry) => (
              <ActivityRow key={entry.id} entry={entry} />
            ))}
          </ol>
          {log.hasNextPage && (
            <Button size="small" onClick={() => log.fetchNextPage()}>
              Show older
            </Button>
          )}
        </div>
      )}
      <RemovalNote words={removals} />
      <ActivityCheckLine filter={filter} />
    </div>
  );
}

function ActivityRow({ entry }: { entry: ActivityEntry }) {
  const connections = useConnections().data;
  const { at, action, clientName, tokenName, outcome, detail, digest } = entry;
  const where = connectionWords(entry.connectionId, connections);
  // The user's acts and the log's entries about itself have no client and no token. A denied entry with neither is
  // from an unknown caller.
  const unnamed = outcome === 'denied' ? 'Unknown caller' : '';
  const caller = [clientName, tokenName && tokenLabel(tokenName)].filter(Boolean).join(' · ') || unnamed;
  return (
    <li className={styles.row}>
      <time dateTime={at}>{exactWords(new Date(at))}</time>
      <div className={styles.what}>
        <p>
          <b>{action}</b>
          {where && ` on ${where}`}
        </p>
        {caller && <p className={styles.aside}>{caller}</p>}
        {detail && <p className={styles.detail}>{detail}</p>}
      </div>
      <div className={styles.outcome} data-outcome={outcome}>
        <p>{outcomeWords[outcome]}</p>
        <p className={styles.aside} title={digest ? `SHA-256 of the statement: ${digest}` : undefined}>
          {sizeOf(entry)}
        </p>
      </div>
    </li>
  );
}

/** One button checks whether the log was changed. The other button downloads the rows that match the filter. */
function ActivityCheckLine({ filter }: { filter: ActivityFilter }) {
  const check = useMutation({ mutationFn: () => api.activity.verify.mutate() });
  const save = useMutation({ mutationFn: async () => download(await csvFile(filter)) });
  return (
    <footer className={styles.footer}>
      <div className={shared.buttons}>
        <Button icon={<ShieldCheck size={14} aria-hidden />} onClick={() => check.mutate()}>
          Verify log
        </Button>
        <Button icon={<Download size={14} aria-hidden />} onClick={() => save.mutate()}>
          {isFiltered(filter) ? 'Export matching rows as CSV' : 'Export as CSV'}
        </Button>
      </div>
      <div role="status">
        {check.data && <Note level={check.data.ok ? 'info' : 'error'}>{checkWords(check.data)}</Note>}
      </div>
      {check.error && <ErrorNote error={check.error} />}
      {save.error && <ErrorNote error={save.error} />}
    </footer>
  );
}

async function csvFile(filter: ActivityFilter): Promise<string> {
  const response = await appFetch('/data/activity.csv', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(setParts(filter)),
  });
  if (!response.ok) throw await readFailure(response);
  return ((await response.json()) as { file: string }).file;
}
