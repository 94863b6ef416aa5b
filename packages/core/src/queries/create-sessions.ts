import type { Gate } from '../access/gate.ts';
import type { SessionPool } from '../sessions/session-pool.ts';
import type { Connections, Sessions } from '../types.ts';
import type { CallRunner } from './call-runner.ts';

/** The sessions that callers see. Opening one passes the gate and the log like any other call. */
export function createSessions(parts: {
  pool: SessionPool;
  runner: CallRunner;
  gate: Pick<Gate, 'needsApproval'>;
  connections: Pick<Connections, 'list'>;
}): Sessions {
  const { pool, runner, gate, connections } = parts;
  return {
    status: (connectionId, caller) => pool.status(connectionId, caller?.kind),
    statuses: () => connections.list().map(({ id }) => pool.status(id)),
    open: (access) =>
      runner.run(access, { action: 'connect', wants: 'read' }, async ({ session, call }) => {
        await session.open(call.signal, { retryFailed: access.caller.kind === 'person' });
        return session.status();
      }),
    admit: (access, action, wants = 'read') => runner.run(access, { action, wants }, async () => {}),
    needsApproval: (caller, connectionId) => gate.needsApproval(caller, connectionId, 'read'),
    close: (connectionId) => pool.close(connectionId),
  };
}
