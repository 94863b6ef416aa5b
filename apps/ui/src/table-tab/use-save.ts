import { useQueryClient } from '@tanstack/react-query';
import { changesSent } from '@trestle/core/staged-edits';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useReach } from '../data/events/events.ts';
import { useStatus } from '../data/queries/queries.ts';
import { stagedStore } from '../data/staged/staged-store.ts';
import { isOfConnection, type TableSave, tableSave } from './table-save.ts';
import { countNow } from './use-page.ts';

const probeEveryMs = 3000;

/** A running save of any window. */
export interface SaveProgress {
  done: number;
  total: number;
  /** When it started, in milliseconds since 1970. */
  at: number;
  cancelling: boolean;
}

/** The saves of a tab: the progress, and the last error until it is outdated. */
export function useSave(connectionId: string, table: string, partition: string | undefined) {
  const save = useMemo(() => tableSave(connectionId, table, partition), [connectionId, table, partition]);
  const staged = stagedStore(connectionId, table, partition);
  const saving = useStore(staged.store, ({ edits }) => edits.saving);
  const { error, starting, cancelling } = useStore(save.state);
  const savedRows = useStore(save.saved);
  useTrueError({ connectionId, table, partition }, save, isOfConnection(error));
  const progress = useMemo((): SaveProgress | null => {
    if (!saving) return starting && { ...starting, done: 0, cancelling };
    const { total, at } = saving;
    return { total, done: total - changesSent(saving).size, at, cancelling };
  }, [saving, starting, cancelling]);
  return { ...save, progress, error, savedRows };
}

/**
 * Removes a save's error about the connection when the connection or the app is back, or when the table is read.
 */
function useTrueError(
  { connectionId, table, partition }: { connectionId: string; table: string; partition: string | undefined },
  save: TableSave,
  isLost: boolean,
): void {
  const { state } = useStatus(connectionId);
  const { reach } = useReach();
  const client = useQueryClient();
  useEffect(() => {
    if (state === 'connected' && reach === 'connected') save.onConnected();
  }, [state, reach, save]);
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'success') return;
        const [kind, connection, name] = event.query.queryKey;
        if (kind === 'rows' && connection === connectionId && name === table) save.onRead();
      }),
    [client, connectionId, table, save],
  );
  // If only single requests failed, the state of the connection stays `connected`, and no change of state shows that it
  // works again. So the rows are counted at intervals: a successful count calls `onRead`. The count of the tab cannot
  // serve for this, since it is disabled while a search is shown.
  useEffect(() => {
    if (!isLost || state !== 'connected') return;
    const probe = () => countNow(client, connectionId, { table, partition }).catch(() => {});
    const timer = setInterval(probe, probeEveryMs);
    return () => clearInterval(timer);
  }, [isLost, state, client, connectionId, table, partition]);
}
