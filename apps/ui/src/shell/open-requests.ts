import { useEffect } from 'react';
import { useOpenRequest } from '../data/events/events.ts';
import { workspace } from '../data/window/workspace-store.ts';
import './recent-tables.ts';
import { openTable } from '../table-tab/index.ts';

/**
 * Opens the table that a client asked for. Until the workspace is restored, this hook is not mounted and the request
 * waits.
 */
export function useOpenRequests(): void {
  const request = useOpenRequest((state) => state.request);
  useEffect(() => {
    if (!request) return;
    useOpenRequest.setState({ request: null });
    workspace.showConnection(request.connectionId);
    openTable(request.connectionId, request.table, request.tenant);
  }, [request]);
}
