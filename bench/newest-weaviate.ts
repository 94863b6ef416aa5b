import { cachedServer } from '../scripts/weaviate/cache.ts';
import { startWeaviate, type WeaviateServer } from '../scripts/weaviate/server.ts';
import { newestWeaviate } from '../scripts/weaviate/versions.ts';
import { Skipped } from './measure.ts';

/** Runs the work with a real server of the newest version, and stops the server after the work. */
export async function withNewestWeaviate<Result>(
  work: (server: WeaviateServer) => Promise<Result>,
): Promise<Result> {
  const binary = cachedServer(newestWeaviate);
  if (!binary)
    throw new Skipped(`no Weaviate ${newestWeaviate} in the cache; npm run weaviate -- --fill-cache gets it`);
  const server = await startWeaviate({ binary });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}
