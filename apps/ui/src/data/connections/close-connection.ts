import { api } from '../api/api.ts';
import { showError } from '../messages/toast.tsx';
import { workspace } from '../window/workspace-store.ts';

/** Removes a connection from the window and ends its session. Its tabs are kept for the next time. */
export function closeConnection(connectionId: string): void {
  workspace.closeConnection(connectionId);
  api.sessions.close.mutate(connectionId).catch((error) => showError('The connection was not closed', error));
}
