import type { Logger } from 'pino';
import { ActivityLog } from '../activity/activity.ts';
import { ActivityChain } from '../activity/activity-chain.ts';
import { ActivityRows } from '../activity/activity-rows.ts';
import type { EventHub } from '../events/events.ts';
import { createHistory } from '../history/history.ts';
import { HistoryRows } from '../history/history-rows.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { Storage } from '../storage/storage.ts';
import { LogQueue } from './log-queue.ts';

/** History and activity, with the one queue that writes both. */
export function openLogs(options: {
  storage: Storage;
  secrets: SecretStore;
  events: EventHub;
  /** How far the anchor of the activity log may be behind. */
  anchorMs: number;
  activityDays: number;
  retryMs: number;
  log: Logger;
}) {
  const { storage, secrets, events, anchorMs, activityDays: keepDays, retryMs, log } = options;
  const activityRows = new ActivityRows(storage);
  const historyRows = new HistoryRows(storage);
  const chain = new ActivityChain({ rows: activityRows, secrets, anchorMs, keepDays, log });
  const queue = new LogQueue({ storage, activity: chain, history: historyRows, events, retryMs, log });
  queue.recover();
  return {
    queue,
    activity: new ActivityLog({ rows: activityRows, chain, queue }),
    history: createHistory({ rows: historyRows, queue, events }),
    /** Keeps the end of the activity log with the secrets. */
    async close() {
      queue.flush();
      await chain.close();
    },
  };
}
