import { api } from '../shared/api.ts';

/** Opens the session. A failure is not caught here: it arrives with the session's status, in the sidebar. */
export function connect(connectionId: string): void {
  api.sessions.open.mutate(connectionId).catch(() => {});
}
