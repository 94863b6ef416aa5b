import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { digestOf } from './http/authenticate.ts';
import { createHttpServer } from './http/server.ts';
import { Journal } from './store/journal.ts';
import { limitsOf, type VectorNodeOptions } from './vector-node-options.ts';

export interface VectorNode {
  url: string;
  port: number;
  /** Undoes every edit. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the sample node on loopback. The first request with a valid key, or the first health probe, loads the routes,
 * data and vectors. So an unused sample node costs almost no time or memory.
 */
export async function startVectorNode(options: VectorNodeOptions = {}): Promise<VectorNode> {
  const keyDigest =
    options.keyDigest ?? (options.apiKey === undefined ? undefined : digestOf(options.apiKey));
  let url = '';
  const loaded = loadOnce(
    async () => (await import('./load-node.ts')).loadNode(options, () => url),
    options.onLoadFailed,
  );
  const server = createHttpServer({
    load: () => loaded.get(),
    keyDigest,
    maximumMessageSize: limitsOf(options).maximumMessageSize,
  });
  const port = await listen(server, options.port ?? 0);
  url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    async reset() {
      const loading = loaded.begun();
      // If the data is not loaded yet, it is enough to delete the journal.
      if (loading) (await loading).database.reset();
      else new Journal(options.dataFolder).clear();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Loads a shared value once, and again after a failure. */
function loadOnce<Loaded>(load: () => Promise<Loaded>, onFailed: (error: unknown) => void = () => {}) {
  let loading: Promise<Loaded> | undefined;
  const get = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      onFailed(error);
      throw error;
    });
    return loading;
  };
  return { get, begun: () => loading };
}

async function listen(server: Server, preferred: number): Promise<number> {
  const on = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve((server.address() as AddressInfo).port);
      });
    });
  try {
    return await on(preferred);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (preferred === 0 || (code !== 'EADDRINUSE' && code !== 'EACCES')) throw error;
    return on(0);
  }
}
