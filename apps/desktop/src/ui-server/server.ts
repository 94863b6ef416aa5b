import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { listenOnKeptPort, Seats } from '@trestle/loopback';
import { createDownloads } from '../api/downloads.ts';
import { ImportFiles } from '../api/import-files.ts';
import type { ApiContext } from '../api/trpc.ts';
import type { CreateLink } from '../window/entry-files.ts';
import { createAdmission, type WindowDoor } from './admission.ts';
import { createUiApp } from './app.ts';

export interface UiServer {
  /** The page's address, without a key. A browser that is not admitted gets only the public pages. */
  readonly address: string;
  /** An address that admits one browser, once. */
  createLink(door: WindowDoor, options?: Parameters<CreateLink>[0]): string;
  /** A code that admits one browser, once. It is typed on the page at the address. */
  createCode(): string;
  /** Ends all windows, links, codes and download paths. Open pages must be admitted again. */
  endWindows(): void;
  close(): Promise<void>;
}

/** A fixed port keeps the origin, and so the browser's permissions for the page, from run to run. */
const preferredPort = 23507;
/** Enough for some twenty browsers: each opens up to six connections per host. */
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
  const imports = new ImportFiles(() => join(options.context.app.dataDirectory, 'imports'));
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
  // `maxHeaderSize`: Node counts the URL as part of the headers, and tRPC accepts a long statement in the URL.
  // `requestTimeout`: an upload may take longer than Node's default of five minutes. `seats` closes a socket that
  // sends no key.
  const limits = { maxHeaderSize: 128 * 1024, requestTimeout: 0, headersTimeout: 60_000 };
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
    // The key is after a #, so the browser does not send it. The page reads the key and removes it from the
    // address.
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

/** Gives running answers 300 ms to finish. Then cuts all connections, since an open event stream would not end. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const cut = setTimeout(() => server.closeAllConnections(), 300);
  await closed;
  clearTimeout(cut);
}
