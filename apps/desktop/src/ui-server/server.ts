import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { listenOnKeptPort, Seats } from '@trestle/mcp-server';
import { createDownloads } from '../api/downloads.ts';
import { ImportFiles } from '../api/import-files.ts';
import type { ApiContext } from '../api/trpc.ts';
import { dataDirectory } from '../data-directory.ts';
import type { CreateLink } from '../window/entry-files.ts';
import { createAdmission, type WindowDoor } from './admission.ts';
import { createUiApp } from './app.ts';

export interface UiServer {
  /** Without a key: only a browser that is already in can use it. */
  readonly address: string;
  /** An address that lets one browser in, once. */
  createLink(door: WindowDoor, options?: Parameters<CreateLink>[0]): string;
  /** A code that lets one browser in, once, typed on the page at the address. */
  createCode(): string;
  /** Every open page must come in again. */
  endWindows(): void;
  close(): Promise<void>;
}

/** A fixed port keeps the origin, and with it what the browser allows the page, from run to run. */
const preferredPort = 23507;
/** A browser opens six to a host. */
const windowSockets = 128;

export async function serveUi(options: {
  context: ApiContext;
  /** The built window: index.html and assets/. */
  folder: string;
  port?: number;
  onEntered?: (door: WindowDoor) => void;
}): Promise<UiServer> {
  const admission = createAdmission({ onEntered: options.onEntered });
  const downloads = createDownloads();
  const imports = new ImportFiles(() => join(dataDirectory(), 'imports'));
  imports.clear();
  const seats = new Seats({ proved: () => windowSockets });
  let port = 0;
  const app = createUiApp({
    admission,
    downloads,
    imports,
    seats,
    context: options.context,
    folder: options.folder,
    port: () => port,
  });
  // A query's input is part of its address, and may be a long statement.
  const limits = { maxHeaderSize: 128 * 1024 };
  const server = createServer(limits, getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  server.on('connection', (socket) => seats.take(socket));
  port = await listenOnKeptPort(server, {
    preferred: options.port ?? preferredPort,
    state: options.context.core.uiState,
    key: 'app.uiPort',
  });
  const address = `http://127.0.0.1:${port}/`;
  return {
    address,
    // Behind a #, so that the browser sends it to nobody: the page reads it and takes it out of the address.
    createLink: (door, more) => `${address}#key=${admission.createKey(door, more)}`,
    createCode: () => admission.createCode(),
    endWindows() {
      admission.endAll();
      downloads.clear();
    },
    async close() {
      await closeServer(server);
      imports.clear();
    },
  };
}

/** Lets answers under way finish; the event streams never would, so they are cut. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const cut = setTimeout(() => server.closeAllConnections(), 300);
  await closed;
  clearTimeout(cut);
}
