import { api } from '../shared/api.ts';
import { showError } from '../shared/toast.tsx';
import { workspace } from './workspace-store.ts';

/** Takes a connection out of the window and ends its session; its tabs wait for the next opening. */
export function closeConnection(connectionId: string): void {
  workspace.closeConnection(connectionId);
  api.sessions.close.mutate(connectionId).catch((error) => showError('The connection was not closed', error));
}
