import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { type McpServer, preloadSchemas } from '@modelcontextprotocol/server';
import type { Core } from '@trestle/core';
import {
  handshakePath,
  protocolVersions,
  prove,
  readHandshake,
  removeHandshake,
  writeHandshake,
} from '@trestle/handshake';
import { listenOnKeptPort, Seats } from '@trestle/loopback';
import { authenticate } from './auth/bearer.ts';
import { BridgeToken, type UnheardToken } from './auth/bridge-token.ts';
import { Lockout } from './auth/lockout.ts';
import { Clients, type ConnectedClient } from './clients.ts';
import { createEndpoint } from './endpoint.ts';
import { pruneExports } from './export/exports-folder.ts';
import { createInstanceFactory, type Fixtures } from './instance.ts';
import { readLimits } from './limit-values.ts';
import { Limits } from './limits.ts';
import { RefusalLog } from './refusal-log.ts';
import type { Serving } from './serve-call.ts';
import { Subscriptions } from './subscriptions.ts';
import type { OpenTable } from './tools/tool.ts';

export interface McpServerOptions {
  core: Core;
  /** The data directory, where the handshake goes. */
  home: string;
  appVersion: string;
  log: (message: string) => void;
  /**
   * The preferred port. Defaults to the setting. If it cannot be used, the kernel chooses a port. That port is stored
   * and tried first at the next start.
   */
  port?: number;
  tokenLifetimeMs?: number;
  tokenRotateBeforeMs?: number;
  /** The deadline of a call, whatever it waits for. */
  handlerDeadlineMs?: number;
  /** The interval of progress messages to a client that asked for them. */
  progressMs?: number;
  /** Shows a table in a window of the app. Undefined if no window can be opened. */
  openTable?: OpenTable;
  /** Aborted: the app is stopping, so the server need not start. */
  signal?: AbortSignal;
  /** Adds fixtures. Only for tests. */
  extend?: (server: McpServer, notify: Pick<Subscriptions, 'publish'>) => Fixtures;
}

export interface RunningMcpServer {
  port: number;
  instanceId: string;
  /** The connected clients, most recent request first. */
  clients(): ConnectedClient[];
  /** Why bridges cannot get a new token. Null if they can. */
  unheard(): UnheardToken | null;
  /** Writes the handshake again if it is missing or not trustworthy. */
  announce(): void;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1 and publishes the address in the handshake. A failed start leaves nothing open. */
export async function startMcpServer(options: McpServerOptions): Promise<RunningMcpServer> {
  const closing = new AsyncDisposableStack();
  try {
    return await openServer(options, closing);
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

/** Each part is added to `closing` right after it is opened. The last one is closed first. */
async function openServer(
  options: McpServerOptions,
  closing: AsyncDisposableStack,
): Promise<RunningMcpServer> {
  const { core, home, appVersion, log } = options;
  const { tokenLifetimeMs = hour, tokenRotateBeforeMs = tokenLifetimeMs / 4 } = options;
  const identity = { instanceId: randomUUID(), secret: randomBytes(32).toString('base64url') };
  const startedAt = new Date().toISOString();
  preloadSchemas();
  const exportsFolder = join(home, 'exports');
  const prune = () =>
    pruneExports(exportsFolder).catch((error) => log(`Old exports were not removed: ${error}`));
  await prune();
  // The app may run for weeks, so exports become old while it runs.
  const pruning = setInterval(prune, hour).unref();
  closing.defer(() => clearInterval(pruning));

  const listener = createServer();
  closing.defer(() => closeListener(listener));
  // These timeouts limit the time for sending a request, not the time for its answer.
  listener.headersTimeout = 10_000;
  listener.requestTimeout = 60_000;
  // Longer than the bridge keeps an idle socket (60 s), so the bridge closes it first.
  listener.keepAliveTimeout = 75_000;

  const lockout = new Lockout(() => readLimits(core));
  const clients = new Clients();
  const subscriptions = new Subscriptions(core);
  closing.defer(() => subscriptions.close());
  const { extend } = options;
  const serving: Serving = {
    core,
    log,
    exportsFolder,
    openTable: options.openTable,
    deadlineMs: options.handlerDeadlineMs ?? 10 * 60_000,
    progressMs: options.progressMs,
  };
  let tokenChanges = 0;
  const stopCounting = core.events.on(({ type }) => {
    if (type === 'tokensChanged') tokenChanges++;
  });
  closing.defer(stopCounting);
  const factory = createInstanceFactory({
    ...serving,
    appVersion,
    extend: extend && ((server) => extend(server, subscriptions)),
  });
  const seats = new Seats({ proved: () => readLimits(core).maxSockets });
  const endpoint = createEndpoint({
    factory,
    limits: new Limits(() => readLimits(core)),
    refusals: new RefusalLog(core.activity),
    subscriptions,
    clients,
    maxBodyBytes: () => readLimits(core).maxBodyBytes,
    seats,
    authenticate: (headers) =>
      authenticate(headers, { tokens: core.tokens, activity: core.activity, bridgeToken, lockout }),
    tokenChanges: () => tokenChanges,
    prove: (challenge) => prove({ ...identity, port }, challenge),
    log,
  });
  closing.defer(() => endpoint.close());
  listener.on('connection', (socket) => seats.take(socket));
  listener.on('request', (message, outgoing) => void endpoint.handle(message, outgoing));
  const port = await listenOnKeptPort(listener, wantedPort(options));
  // If the app is stopping, write no handshake: it would point bridges to a server that is closing.
  options.signal?.throwIfAborted();

  const publish = ({ text, expiresAt }: { text: string; expiresAt: Date }) =>
    writeHandshake(home, {
      version: 1,
      state: 'running',
      port,
      token: text,
      tokenExpiresAt: expiresAt.toISOString(),
      pid: process.pid,
      ...identity,
      appVersion,
      protocolVersions: [...protocolVersions],
      startedAt,
    });
  const bridgeToken = new BridgeToken({
    lifetimeMs: tokenLifetimeMs,
    rotateBeforeMs: tokenRotateBeforeMs,
    publish,
    onError: (error) => log(`The handshake could not be renewed: ${(error as Error).message}`),
  });
  closing.defer(() => bridgeToken.close());
  closing.defer(() => removeHandshake(home, identity.instanceId));

  return {
    port,
    instanceId: identity.instanceId,
    clients: () => clients.list(),
    unheard: () => bridgeToken.unheard(),
    announce() {
      if (!readHandshake(handshakePath(home)).trusted) bridgeToken.renew();
    },
    close: () => closing.disposeAsync(),
  };
}

const hour = 60 * 60_000;

export function wantedPort({ core, port }: McpServerOptions) {
  return { preferred: port ?? core.settings.get().mcpPort, state: core.uiState, key: 'app.mcpPort' };
}

/** Closes the listener. The SDK ends each subscription with a result, which gets 200 ms to be sent. */
async function closeListener(listener: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
  const idle = setInterval(() => listener.closeIdleConnections(), 10);
  const all = setTimeout(() => listener.closeAllConnections(), 200);
  await closed;
  clearInterval(idle);
  clearTimeout(all);
}
