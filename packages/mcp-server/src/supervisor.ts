import { randomUUID } from 'node:crypto';
import { handshakePath, readHandshake, removeHandshake, writeHandshake } from '@trestle/handshake';
import { forgetKeptPort } from '@trestle/loopback';
import type { UnheardToken } from './auth/bridge-token.ts';
import type { ConnectedClient } from './clients.ts';
import { type McpServerOptions, type RunningMcpServer, startMcpServer, wantedPort } from './server.ts';

export type McpStatus =
  | {
      state: 'running';
      port: number;
      /** The preferred port when the server started. */
      preferred: number;
      /** Why bridge clients will lose their access, and when. Null: no problem. */
      unheard: UnheardToken | null;
    }
  | { state: 'disabled' }
  | { state: 'failed'; message: string };

export interface McpSupervisor {
  status(): McpStatus;
  /** The connected clients. Empty while the server does not run. */
  clients(): ConnectedClient[];
  /**
   * For a bridge that found no handshake although the app runs. Writes the handshake again, and starts the
   * server if its last start failed.
   */
  announce(): Promise<void>;
  /** Moves the server to the preferred port if that port is free. Otherwise returns false. */
  tryPreferredPort(): Promise<boolean>;
  close(): Promise<void>;
}

/** Runs the server while the setting `mcpEnabled` is on. Otherwise the handshake says that the server is turned off. */
export async function superviseMcpServer(options: McpServerOptions): Promise<McpSupervisor> {
  const { core, home, appVersion, log } = options;
  const disabledId = randomUUID();
  let running: RunningMcpServer | undefined;
  let runningFor: number | undefined;
  let status: McpStatus = { state: 'disabled' };
  let closed = false;
  // Changes run one at a time. Each change reads the settings when it begins.
  let work = Promise.resolve();

  async function follow(): Promise<void> {
    const { mcpEnabled, mcpPort } = core.settings.get();
    const wanted = mcpEnabled && !closed;
    if (running && (!wanted || runningFor !== mcpPort)) await stop();
    if (wanted && !running) await start(mcpPort);
    if (!wanted && !closed) disable();
  }

  async function start(mcpPort: number): Promise<void> {
    const { preferred } = wantedPort(options);
    try {
      running = await startMcpServer(options);
      runningFor = mcpPort;
      status = { state: 'running', port: running.port, preferred, unheard: null };
      log(`MCP server on 127.0.0.1:${running.port}`);
    } catch (error) {
      status = { state: 'failed', message: error instanceof Error ? error.message : String(error) };
      // An old handshake may say that the server is turned off. Bridges would repeat that, and not ask the app to try
      // again.
      removeHandshake(home, disabledId);
      log(`The MCP server did not start: ${status.message}`);
    }
  }

  async function stop(): Promise<void> {
    await running?.close();
    running = undefined;
  }

  function disable(): void {
    status = { state: 'disabled' };
    const startedAt = new Date().toISOString();
    try {
      writeHandshake(home, {
        version: 1,
        state: 'disabled',
        pid: process.pid,
        instanceId: disabledId,
        appVersion,
        startedAt,
      });
    } catch (error) {
      log((error as Error).message);
    }
  }

  function followNext(): Promise<void> {
    work = work.then(follow).catch((error) => log(`The MCP server did not follow its setting: ${error}`));
    return work;
  }

  const unfollow = core.events.on((event) => {
    if (event.type === 'settingsChanged') void followNext();
  });
  await followNext();

  return {
    status: () =>
      running && status.state === 'running' ? { ...status, unheard: running.unheard() } : status,
    async announce() {
      // While the server stops or starts, its handshake may be missing for a moment. So wait for the change to end.
      await work;
      if (status.state === 'failed') await followNext();
      else if (running) running.announce();
      else if (!closed && !readHandshake(handshakePath(home)).trusted) disable();
    },
    async tryPreferredPort() {
      if (!(await forgetKeptPort(wantedPort(options)))) return false;
      // Restarts the server, as after a change of the port setting.
      runningFor = undefined;
      await followNext();
      return true;
    },
    clients: () => running?.clients() ?? [],
    async close() {
      closed = true;
      unfollow();
      await followNext();
      status = { state: 'disabled' };
      removeHandshake(home, disabledId);
    },
  };
}
