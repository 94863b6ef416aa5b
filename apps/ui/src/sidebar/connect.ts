import { api } from '../shared/api.ts';
import { queryClient } from '../shared/queries.ts';
import { showError } from '../shared/toast.tsx';

/** Opens the session. A failure is not caught here: it arrives with the session's status, in the sidebar. */
export function connect(connectionId: string): void {
  api.sessions.open.mutate(connectionId).catch(() => {});
}

/** The rows that were read stay in view; asking for more opens the session again. */
export function disconnect(connectionId: string): void {
  api.sessions.close.mutate(connectionId).catch((error) => showError('The connection was not closed', error));
}

/** Reads its tables and rows again. */
export function refreshConnection(connectionId: string): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) =>
      queryKey[1] === connectionId && (queryKey[0] === 'schema' || queryKey[0] === 'rows'),
  });
}
