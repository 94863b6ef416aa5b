import { api } from '../api/api.ts';
import { showError } from '../messages/toast.tsx';

/** Opens the session. A failure is ignored here: `SessionNote` shows it from the session's status. */
export function connect(connectionId: string): void {
  api.sessions.open.mutate(connectionId).catch(() => {});
}

/** Closes the session. Rows that were read stay visible. Reading more rows opens the session again. */
export function disconnect(connectionId: string): void {
  api.sessions.close.mutate(connectionId).catch((error) => showError('The connection was not closed', error));
}
