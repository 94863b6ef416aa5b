import type { Logger } from 'pino';
import { ActivityLog } from './activity/activity.ts';
import { ActivityChain } from './activity/activity-chain.ts';
import { ActivityRows } from './activity/activity-rows.ts';
import type { EventHub } from './events/events.ts';
import { createHistory } from './history/history.ts';
import { HistoryRows } from './history/history-rows.ts';
import { LogQueue } from './log-queue/log-queue.ts';
import type { SecretStore } from './secrets/secret-store.ts';
import { StoredRemovals } from './storage/removals.ts';
import type { Storage } from './storage/storage.ts';
import type { LogUse, SettingsValues } from './types.ts';

type Limits = Pick<SettingsValues, 'historyEntries' | 'historyMegabytes' | 'activityMegabytes'>;

const megabyte = 1024 ** 2;
const hour = 3_600_000;

/** Opens history and activity, and the queue that writes both. */
export function openLogs(options: {
  storage: Storage;
  secrets: SecretStore;
  events: EventHub;
  limits(): Limits;
  /** The secret store has a copy of the activity log's newest hash. It may be this many milliseconds behind. */
  anchorMs: number;
  activityDays: number;
  retryMs: number;
  log: Logger;
}) {
  const { storage, secrets, events, limits, anchorMs, activityDays, retryMs, log } = options;
  const removals = new StoredRemovals(storage);
  const activityRows = new ActivityRows(storage);
  const historyRows = new HistoryRows(storage, () => ({
    entries: limits().historyEntries,
    bytes: limits().historyMegabytes * megabyte,
  }));
  const chain = new ActivityChain({ rows: activityRows, secrets, anchorMs, log });
  const queue = new LogQueue({ storage, activity: chain, history: historyRows, events, retryMs, log });
  queue.recover();

  /** Prunes history and activity to their limits, and returns the space to the disk. */
  async function trim(): Promise<void> {
    try {
      queue.flush();
      const bytes = limits().activityMegabytes * megabyte;
      const history = historyRows.prune();
      const activity = await chain.prune({ days: activityDays, bytes });
      removals.note('activity', activity);
      if (history + activity > 0) log.info({ history, activity }, 'The oldest log entries were removed');
      storage.giveBack();
    } catch (error) {
      log.error({ problem: String(error) }, 'The logs could not be brought within their limits');
    }
  }
  let trimming = trim();
  const trimNext = () => {
    trimming = trimming.then(trim);
  };
  const hourly = setInterval(trimNext, hour).unref();
  const stopFollowing = events.on(({ type }) => {
    if (type === 'settingsChanged') trimNext();
  });

  return {
    queue,
    removals,
    activity: new ActivityLog({ rows: activityRows, chain, queue }),
    history: createHistory({ rows: historyRows, queue, events, onCleared: trimNext }),
    use(): LogUse {
      queue.flush();
      return { history: historyRows.use(), activity: activityRows.use() };
    },
    /** Writes the waiting entries, then stores the newest hash of the activity log with the secrets. */
    async close() {
      clearInterval(hourly);
      stopFollowing();
      queue.flush();
      await trimming;
      await chain.close();
    },
  };
}
