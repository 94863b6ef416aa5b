import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Embed } from './embed.ts';
import { digestOf } from './http/authenticate.ts';
import { createHttpServer } from './http/server.ts';
import { Journal } from './store/journal.ts';

export interface VectorNodeOptions {
  /** Another one where this is taken; a free one without it. */
  port?: number;
  /** Without it or its digest everyone on this machine may ask. */
  apiKey?: string;
  /** SHA-256 of the key in hex, for one who does not keep the key itself. */
  keyDigest?: string;
  /** Where edits are kept from run to run; without it they end with the process. */
  dataFolder?: string;
  /** The version of Weaviate that it gives itself out for. */
  version?: string;
  /** With the sample's collections, unless false. */
  seed?: boolean;
  /** QUERY_MAXIMUM_RESULTS. */
  maximumResults?: number;
  /** For a bundle, where the word table does not lie beside the code. */
  embed?: Embed;
  /** The data did not load; the request is refused, and the next one tries again. */
  onLoadFailed?(error: unknown): void;
}

export interface VectorNode {
  url: string;
  port: number;
  /** Undoes every edit. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The sample server on loopback. It listens at once; its routes, data and vectors are loaded for the first request
 * with the right key, so that one who does not use the sample pays neither time nor memory for it.
 */
export async function startVectorNode(options: VectorNodeOptions = {}): Promise<VectorNode> {
  const keyDigest =
    options.keyDigest ?? (options.apiKey === undefined ? undefined : digestOf(options.apiKey));
  let url = '';
  const loaded = loadOnce(
    async () => (await import('./load-node.ts')).loadNode(options, () => url),
    options.onLoadFailed,
  );
  const server = createHttpServer(async () => (await loaded.get()).router, keyDigest);
  const port = await listen(server, options.port ?? 0);
  url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    async reset() {
      const loading = loaded.begun();
      // What has not been read yet must not be loaded for this.
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

/** What many ask for is loaded once, and again after a failure. */
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
