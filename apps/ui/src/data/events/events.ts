import type { WindowEvent } from '@trestle/desktop/router';
import { create } from 'zustand';
import { records } from '../../shared/records/record-hub.ts';
import type { SessionStatus } from '../api/api-types.ts';
import { queryClient } from '../queries/queries.ts';
import { queryKeys } from '../queries/query-keys.ts';
import { readAgain } from '../queries/read-again.ts';
import { readSchemaAgain } from '../queries/read-schema-again.ts';
import { stagedChanged, stagedMissed } from '../staged/staged-store.ts';
import { countAgain } from './count-again.ts';
import { readEvents } from './event-stream.ts';
import { retryWait } from './retry-wait.ts';
import { noteTestStage } from './test-stages.ts';

/** `refused`: the app answers, but does not admit this window. */
export type Reach = 'connecting' | 'connected' | 'lost' | 'refused';

export const useReach = create<{ reach: Reach }>(() => ({ reach: 'connecting' }));

/** The table that a client asked the window to show, until it is shown. */
export const useOpenRequest = create<{ request: (WindowEvent & { type: 'openTable' }) | null }>(() => ({
  request: null,
}));

let retryNow = () => {};

/** Follows the app's event stream until the returned function is called. */
export function followEvents(): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  void (async () => {
    let waitMs: number | null = null;
    while (!signal.aborted) {
      let openedAt: number | null = null;
      const onOpen = () => {
        openedAt = performance.now();
        reached();
      };
      const status = await readEvents({ onOpen, onEvent: apply, signal }).catch(() => 0);
      waitMs = retryWait(waitMs, openedAt === null ? null : performance.now() - openedAt);
      if (signal.aborted) return;
      lost(status === 401 || status === 403 ? 'refused' : 'lost');
      await new Promise<void>((resolve) => {
        retryNow = resolve;
        setTimeout(resolve, waitMs ?? 0);
      });
    }
  })();
  return () => stop.abort();
}

/** Ends the wait before the next attempt to connect. For a window that has just been admitted. */
export function reconnectNow(): void {
  retryNow();
}

function apply(event: WindowEvent): void {
  switch (event.type) {
    case 'connectionsChanged':
      invalidate(queryKeys.connections);
      invalidate(queryKeys.sessions);
      // Sample searches belong to a sample connection, which the user may delete.
      invalidate(queryKeys.sampleSearches);
      break;
    case 'driversChanged':
      invalidate(queryKeys.drivers);
      invalidate(['plugins']);
      break;
    case 'registryChanged':
      invalidate(queryKeys.drivers);
      invalidate(['plugins']);
      break;
    case 'sessionChanged':
      applyStatus(event.status);
      break;
    case 'schemaChanged':
      void readSchemaAgain(event.connectionId);
      break;
    case 'rowsChanged':
      invalidate(['rows', event.connectionId, event.table]);
      void countAgain(queryClient, event.connectionId, event.table);
      break;
    case 'openTable':
      useOpenRequest.setState({ request: event });
      break;
    case 'testStage':
      noteTestStage(event);
      break;
    case 'approvalsChanged':
      invalidate(queryKeys.approvals);
      break;
    case 'jobChanged':
      invalidate(queryKeys.jobs, true);
      invalidate(queryKeys.job(event.id));
      break;
    case 'eventsMissed':
      readAllAgain();
      break;
    case 'tokensChanged':
      invalidate(queryKeys.tokens);
      break;
    case 'settingsChanged':
      setKnown(queryKeys.settings, () => event.settings);
      invalidate(queryKeys.appInfo);
      break;
    case 'recordChanged':
      records.changed(event);
      break;
    case 'stagedChanged':
      stagedChanged(event);
      break;
    case 'logProblemChanged':
      invalidate(queryKeys.appInfo);
      break;
    case 'historyChanged':
      invalidate(['history', event.connectionId]);
      break;
  }
}

function applyStatus(status: SessionStatus): void {
  const { connectionId } = status;
  const known = queryClient.getQueryData<SessionStatus[]>(queryKeys.sessions);
  const before = known?.find((other) => other.connectionId === connectionId)?.state;
  setKnown<SessionStatus[]>(queryKeys.sessions, (known = []) => [
    ...known.filter((other) => other.connectionId !== status.connectionId),
    status,
  ]);
  if (status.state !== 'connected') return;
  // A failed read is retried, because the database may have been away. A read that was sent while the database was away
  // may still fail, so after a reconnect a running read is started again too.
  const wasAway = before === 'reconnecting';
  void readAgain(queryClient, {
    predicate: (query) =>
      query.queryKey[1] === connectionId &&
      (query.state.status === 'error' ||
        (wasAway && query.isActive() && query.state.fetchStatus === 'fetching')),
  });
}

/**
 * Stores the data of an event. If a read of that data is running, its answer may be older than the event and would
 * overwrite the stored data. In that case the read is started again instead.
 */
function setKnown<T>(queryKey: readonly unknown[], change: (known: T | undefined) => T): void {
  if (queryClient.isFetching({ queryKey }) > 0) invalidate(queryKey);
  else queryClient.setQueryData<T>(queryKey, change);
}

function invalidate(queryKey: readonly unknown[], exact = false): void {
  void readAgain(queryClient, { queryKey, exact });
}

function reached(): void {
  const before = useReach.getState().reach;
  useReach.setState({ reach: 'connected' });
  // Events during an interruption are lost, so everything is read again. When the stream opens for the first time, data
  // that the page read before may be old too, such as the pending approvals. Then only data whose query key has one
  // part is read again: rows, which have longer keys, are expensive to read.
  if (before === 'lost' || before === 'refused') readAllAgain();
  else if (before === 'connecting') {
    void records.missed().catch(() => {});
    void stagedMissed().catch(() => {});
    // `all` includes prefetched data, which has no observer yet.
    void readAgain(queryClient, {
      predicate: ({ queryKey }) => queryKey.length === 1,
      refetchType: 'all',
    });
  }
}

/** Events were lost. */
function readAllAgain(): void {
  void readAgain(queryClient);
  void records.missed().catch(() => {});
  void stagedMissed().catch(() => {});
}

function lost(reach: Reach): void {
  useReach.setState({ reach });
}
