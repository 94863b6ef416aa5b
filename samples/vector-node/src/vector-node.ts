import type { AddressInfo } from 'node:net';
import { type Embed, embed as sampleEmbed } from './embed.ts';
import { GraphqlExecutor } from './graphql/execute.ts';
import { batchRoutes } from './http/batch-routes.ts';
import { nodeRoutes } from './http/node-routes.ts';
import { objectRoutes } from './http/object-routes.ts';
import { referenceRoutes } from './http/reference-routes.ts';
import { createRouter } from './http/router.ts';
import { schemaRoutes } from './http/schema-routes.ts';
import { createHttpServer } from './http/server.ts';
import { tenantRoutes } from './http/tenant-routes.ts';
import { createSeed } from './seed.ts';
import { Database } from './store/database.ts';

export interface VectorNodeOptions {
  /** A free one without it. */
  port?: number;
  /** Without it everyone on this machine may ask. */
  apiKey?: string;
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
}

export interface VectorNode {
  url: string;
  port: number;
  /** Undoes every edit. */
  reset(): void;
  stop(): Promise<void>;
}

/** Starts the sample server on loopback. */
export async function startVectorNode(options: VectorNodeOptions = {}): Promise<VectorNode> {
  const embed = options.embed ?? sampleEmbed;
  const limits = { maximumResults: options.maximumResults ?? 10_000 };
  const database = new Database({
    embed,
    ...(options.dataFolder !== undefined && { dataFolder: options.dataFolder }),
    seed: options.seed === false ? () => [] : createSeed(embed),
  });
  const graphql = new GraphqlExecutor(database, limits);
  let url = '';
  const router = createRouter({
    ...nodeRoutes(database, graphql, { version: options.version ?? '1.39.0', url: () => url }),
    ...schemaRoutes(database),
    ...tenantRoutes(database),
    ...objectRoutes(database, limits),
    ...referenceRoutes(database),
    ...batchRoutes(database, limits),
  });
  const server = createHttpServer(router, options.apiKey);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    reset: () => database.reset(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
