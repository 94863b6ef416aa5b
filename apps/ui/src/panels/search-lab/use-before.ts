import { useRef } from 'react';
import type { Metrics } from './judging/metrics.ts';

interface Seen {
  query: string;
  settings: string;
  metrics: Metrics;
  before: Metrics | null;
}

/**
 * The metrics of each column before its last change of settings. Null if the column's settings have not changed
 * since the last change of `query`.
 */
export function useBefore(
  columns: { id: string; settings: string; metrics: Metrics | null; isSettled: boolean }[],
  query: string,
): (Metrics | null)[] {
  const seen = useRef(new Map<string, Seen>());
  return columns.map(({ id, settings, metrics, isSettled }) => {
    const last = seen.current.get(id);
    if (!metrics || !isSettled) return last?.query === query ? last.before : null;
    if (last?.query !== query) {
      seen.current.set(id, { query, settings, metrics, before: null });
      return null;
    }
    if (last.settings !== settings) {
      seen.current.set(id, { query, settings, metrics, before: last.metrics });
      return last.metrics;
    }
    seen.current.set(id, { ...last, metrics });
    return last.before;
  });
}
