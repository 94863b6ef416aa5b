import type { EventHub } from '../events/events.ts';
import type { LogQueue } from '../log-queue/log-queue.ts';
import type { History } from '../types.ts';
import type { HistoryRows } from './history-rows.ts';

/** Searches and removes history entries. The log queue writes them. */
export function createHistory(parts: {
  rows: HistoryRows;
  queue: Pick<LogQueue, 'flush'>;
  events: EventHub;
  /** Called after a clear, so that the freed space can go back to the disk. */
  onCleared(): void;
}): Omit<History, 'searchAs'> {
  const { rows, queue, events, onCleared } = parts;
  return {
    search(query) {
      queue.flush();
      return rows.search(query);
    },
    remove(id) {
      queue.flush();
      const connectionId = rows.delete(id);
      if (connectionId !== undefined) events.emit({ type: 'historyChanged', connectionId });
    },
    clear(wanted) {
      queue.flush();
      for (const connectionId of rows.clear(wanted)) events.emit({ type: 'historyChanged', connectionId });
      onCleared();
    },
  };
}
