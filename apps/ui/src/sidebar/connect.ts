import { api } from '../shared/api.ts';
import { showError } from '../shared/toast.tsx';

/** Opens the session. A failure is not caught here: it arrives with the session's status, in the sidebar. */
export function connect(connectionId: string): void {
  api.sessions.open.mutate(connectionId).catch(() => {});
}

/** The rows that were read stay in view; asking for more opens the session again. */
export function disconnect(connectionId: string): void {
  api.sessions.close.mutate(connectionId).catch((error) => showError('The connection was not closed', error));
}
