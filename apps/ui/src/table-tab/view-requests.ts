import { useEffect } from 'react';
import { create } from 'zustand';
import type { TableShows } from './types.ts';

interface ViewRequest {
  connectionId: string;
  table: string;
  /** `export` shows the rows and opens the export dialog. */
  wants: TableShows | 'export';
}

const useViewRequest = create<{ request: ViewRequest | null }>(() => ({ request: null }));

/** Asks the tab of a table to show one of its views. The tab may not exist yet. */
export function requestView(request: ViewRequest): void {
  useViewRequest.setState({ request });
}

/** Shows the requested view. A requested export waits until rows can be exported. */
export function useViewRequests(at: {
  connectionId: string;
  table: string;
  show(view: TableShows): void;
  /** Undefined while no rows can be exported, for example before a tenant is chosen. */
  onExport: (() => void) | undefined;
}): void {
  const { connectionId, table, show, onExport } = at;
  const request = useViewRequest((state) => state.request);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function at each render must not run the effect again
  useEffect(() => {
    if (request?.connectionId !== connectionId || request.table !== table) return;
    if (request.wants === 'export' && !onExport) return;
    useViewRequest.setState({ request: null });
    if (request.wants !== 'export') return show(request.wants);
    show('rows');
    onExport?.();
  }, [request, connectionId, table, onExport !== undefined]);
}
