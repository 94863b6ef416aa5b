import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { ApiContext } from '../api/trpc.ts';
import { type Admission, createAdmission } from './admission.ts';
import { createUiApp } from './app.ts';
import { listen } from './listen.ts';

export interface UiServer {
  /** Without a key: only a browser that is already in can use it. */
  readonly address: string;
  /** An address that lets one browser in, once. */
  createLink(): string;
  close(): Promise<void>;
}

/** A fixed port keeps the origin, and with it what the browser allows the page, from run to run. */
const preferredPort = 23507;

export async function serveUi(options: {
  context: ApiContext;
  dataDirectory: string;
  /** The built window: index.html and assets/. */
  folder: string;
  port?: number;
}): Promise<UiServer> {
  const admission: Admission = createAdmission(options.dataDirectory);
  let port = 0;
  const app = createUiApp({
    admission,
    context: options.context,
    folder: options.folder,
    port: () => port,
  });
  // A query's input is part of its address, and may be a long statement.
  const limits = { maxHeaderSize: 128 * 1024 };
  const server = createServer(limits, getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  port = await listen(server, options.port ?? preferredPort);
  const address = `http://127.0.0.1:${port}/`;
  return {
    address,
    createLink: () => `${address}open?key=${admission.createKey()}`,
    close: () => closeServer(server),
  };
}

/** Lets answers under way finish; the event streams never would, so they are cut. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const cut = setTimeout(() => server.closeAllConnections(), 300);
  await closed;
  clearTimeout(cut);
}
