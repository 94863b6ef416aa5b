import { rowId, rowKeys, setOwnValue } from '@trestle/core/staged-edits';
import { type Cell, cellAt, ownValue, type RowKey, type RowSet } from '@trestle/driver-kit';
import { useCallback, useEffect, useRef, useState } from 'react';
import { data, toApiError } from '../data/api/api.ts';
import { isOfConnection } from '../data/messages/connection-down.ts';
import { useStatus } from '../data/queries/queries.ts';
import type { TableLine } from './table-lines.ts';

/** Rows in one request: a hundred vectors of 1,536 floats are 600 kB. */
const batch = 100;
/** The delay before a request: rows that the user only scrolls past must not be requested. */
const settleMs = 80;
/** If more rows than this are cached when a new page comes, all are dropped. Two pages of the largest size fit. */
const remembered = 2000;

/**
 * Columns that load after their row (vectors). They are requested for the visible rows. A scroll aborts the request and
 * starts another for the visible rows whose cells are missing. The cells of a new page are requested again. Until the
 * answer comes, cached values are shown.
 */
export function useDeferredCells(options: {
  connectionId: string;
  table: string;
  partition: string | undefined;
  columns: string[];
  lines: TableLine[];
  rows: RowSet | undefined;
}) {
  const latest = useRef(options);
  latest.current = options;
  const cache = useRef(new Map<string, Record<string, Cell>>());
  const fresh = useRef(new Set<string>());
  const [version, setVersion] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const [retries, setRetries] = useState(0);
  // A ref, not state: the view changes during a scroll, and nothing that is drawn depends on the view.
  const view = useRef<{ first: number; last: number }>(null);
  const request = useRef<{ timer: ReturnType<typeof setTimeout>; abort: AbortController }>(undefined);

  const wanted = options.columns.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page or another column needs new values
  useEffect(() => {
    fresh.current.clear();
    if (cache.current.size > remembered) cache.current.clear();
    setError(null);
  }, [options.rows, wanted]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another partition may have the same keys
  useEffect(() => cache.current.clear(), [options.partition]);

  const missing = useCallback((indices: number[]): RowKey[] => {
    const { lines } = latest.current;
    return indices.flatMap((index) => {
      const line = lines[index];
      return line?.key && line.id !== null && line.at !== undefined && !fresh.current.has(line.id)
        ? [line.key]
        : [];
    });
  }, []);

  const read = useCallback(async (keys: RowKey[], signal?: AbortSignal) => {
    const { connectionId, table, partition, columns, rows: page } = latest.current;
    for (let start = 0; start < keys.length; start += batch) {
      const part = keys.slice(start, start + batch);
      const wantedCells = { table, ...(partition !== undefined && { partition }), keys: part, columns };
      const rows = await data('readCells', connectionId, wantedCells, signal);
      if (signal?.aborted || latest.current.partition !== partition) return;
      keep(cache.current, rows, part, columns);
      if (latest.current.rows === page) for (const key of part) fresh.current.add(rowId(key));
      setVersion((before) => before + 1);
    }
  }, []);

  const stop = useCallback(() => {
    clearTimeout(request.current?.timer);
    request.current?.abort.abort();
  }, []);
  /** Requests the cells of the rows in view, once the scrolling stops. */
  const ask = useCallback(() => {
    stop();
    const { current: seen } = view;
    if (!seen || latest.current.columns.length === 0) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const indices = Array.from({ length: seen.last - seen.first + 1 }, (_, step) => seen.first + step);
      const keys = missing(indices);
      if (keys.length === 0) return;
      read(keys, abort.signal).catch((reason: unknown) => {
        if (!abort.signal.aborted) setError(reason);
      });
    }, settleMs);
    request.current = { timer, abort };
  }, [missing, read, stop]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page, other columns or more lines need new requests
  useEffect(() => {
    ask();
    return stop;
  }, [wanted, options.rows, options.lines.length, ask, stop]);

  const retry = () => {
    setError(null);
    setRetries((before) => before + 1);
    ask();
  };
  const { state } = useStatus(options.connectionId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry is needed only when the connection is back
  useEffect(() => {
    if (state === 'connected' && error !== null && isOfConnection(toApiError(error))) retry();
  }, [state]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function makes the rows show the values that arrived
  const cell = useCallback(
    (index: number, column: string): Cell | undefined => {
      const id = latest.current.lines[index]?.id;
      return id === undefined || id === null ? undefined : ownValue(cache.current.get(id), column);
    },
    [version],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function makes the inspector read its row again
  const readLine = useCallback(
    (index: number) => void read(missing([index])).catch(setError),
    [missing, read, retries, options.rows],
  );
  return {
    cell,
    error,
    retry,
    /** Reads the cells of one row, which may be out of view. `error` shows a failure. */
    readLine,
    onVisibleLines: useCallback(
      (first: number, last: number) => {
        view.current = { first, last };
        ask();
      },
      [ask],
    ),
    onNeedCells: useCallback(async (indices: number[]) => read(missing(indices)), [missing, read]),
  };
}

/**
 * Puts the cells of the requested rows into the cache. A row that the database no longer has gets NULL. Otherwise its
 * cells would be awaited forever.
 */
function keep(
  cache: Map<string, Record<string, Cell>>,
  rows: RowSet,
  asked: RowKey[],
  columns: string[],
): void {
  const keys = rowKeys(rows, Object.keys(asked[0] ?? {}));
  for (const key of asked) cache.set(rowId(key), Object.fromEntries(columns.map((name) => [name, null])));
  for (let row = 0; row < rows.rowCount; row++) {
    const key = keys[row] ?? (rows.rowCount === asked.length ? asked[row] : null);
    const kept = key && cache.get(rowId(key));
    if (!kept) continue;
    rows.columns.forEach(({ name }, index) => {
      if (columns.includes(name)) setOwnValue(kept, name, cellAt(rows, index, row));
    });
  }
}
