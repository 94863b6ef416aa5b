import { setTimeout as delay } from 'node:timers/promises';
import { type RunningServer, runServer } from '../running-server.ts';

/** The server under load in its own process, so that its memory and handles are measured alone. */
// A call that fails inside Trestle counts as a wrong answer. This log line says why it failed.
const log = (message: string) => {
  if (message.includes('failed')) console.error(message);
};
const running = await runServer({ tokenLifetimeMs: 4_000, tokenRotateBeforeMs: 2_000, log });
// The test uses revoked tokens on purpose. These failed authentications must not lock out the next token.
running.core.settings.update({ mcpLockoutAttempts: 100, mcpLockoutWindowSeconds: 1, mcpLockoutSeconds: 1 });
running.core.settings.update({ mcpConcurrentRequests: 4 });
const connections = [running.connections.open.id];
for (const name of ['Second', 'Third']) {
  connections.push((await running.connectSqlite(name, `${running.home}/planets.db`)).id);
}
// `drop` spares this connection, and its queries do not block other connections.
const busyConnection = (await running.connectSqlite('Busy', `${running.home}/planets.db`)).id;

export interface Started {
  home: string;
  port: number;
  connections: string[];
  busyConnection: string;
}
export interface Usage {
  heap: number;
  handles: number;
  drivers: number;
  /** Every row of the activity log exists, in order. */
  isLogWhole: boolean;
}
export type Command = 'mint' | 'revoke' | 'drop' | 'usage' | 'stop';

const commands: Record<Command, (argument: string) => unknown> = {
  mint: () => running.createToken({ name: 'load', permission: 'readWrite' }),
  revoke: (id) => running.core.tokens.remove(id),
  drop: (way) => drop(running, way),
  usage: () => measure(running),
  stop: () => running.close(),
};

process.on(
  'message',
  async ({ id, command, argument }: { id: number; command: Command; argument: string }) => {
    const result = await commands[command](argument);
    process.send?.({ id, result });
    if (command === 'stop') process.disconnect?.();
  },
);
process.send?.({
  id: 0,
  result: { home: running.home, port: running.server.port, connections, busyConnection } satisfies Started,
});

const collectGarbage = globalThis.gc as () => void;

/** Crashes the driver, or closes the connection like a user. */
async function drop({ core }: RunningServer, way: string): Promise<void> {
  const id = connections[Math.floor(Math.random() * connections.length)] as string;
  const { pid } = core.sessions.status(id);
  if (way === 'crash' && pid !== undefined) process.kill(pid, 'SIGKILL');
  else await core.sessions.close(id);
}

async function measure({ core }: RunningServer): Promise<Usage> {
  // Sockets and sessions that are closing get time to end.
  await delay(1_000);
  for (let round = 0; round < 3; round++) {
    collectGarbage();
    await delay(50);
  }
  return {
    heap: process.memoryUsage().heapUsed,
    handles: process.getActiveResourcesInfo().filter((name) => name !== 'Timeout' && name !== 'Immediate')
      .length,
    isLogWhole: (await core.activity.verify()).ok,
    drivers: core.sessions.statuses().filter(({ pid }) => pid !== undefined).length,
  };
}
