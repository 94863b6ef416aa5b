import type { TestProject } from 'vitest/node';
import { cachedServer } from '../../scripts/weaviate/cache.ts';
import { startInference } from '../../scripts/weaviate/inference.ts';
import { startWeaviate } from '../../scripts/weaviate/server.ts';
import { testedVersions } from '../../scripts/weaviate/versions.ts';

export interface TestServer {
  version: string;
  binary: string;
  /** The port of a server without authentication. Test files share the server, so each makes its own collections. */
  port: number;
  /** A server of the same version that takes GraphQL. From 1.39.0 on, the server at `port` does not. */
  graphqlPort: number;
}

declare module 'vitest' {
  interface ProvidedContext {
    weaviateServers: TestServer[];
  }
}

/** Starts every tested version that the cache holds, once for all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const found = testedVersions.flatMap((version) => {
    const binary = cachedServer(version);
    return binary ? [{ version, binary }] : [];
  });
  const inference = await startInference();
  const running = await Promise.all(
    found.map(async ({ version, binary }) => {
      const common = { binary, inferenceUrl: inference.url };
      if (!isWithoutGraphql(version)) {
        const server = await startWeaviate(common);
        return { version, binary, server, withGraphql: server };
      }
      const environment = { DISABLE_GRAPHQL: 'true' };
      const [server, withGraphql] = await Promise.all([
        startWeaviate({ ...common, environment }),
        startWeaviate(common),
      ]);
      return { version, binary, server, withGraphql };
    }),
  );
  project.provide(
    'weaviateServers',
    running.map(({ version, binary, server, withGraphql }) => ({
      version,
      binary,
      port: server.port,
      graphqlPort: withGraphql.port,
    })),
  );
  return async () => {
    const servers = new Set(running.flatMap(({ server, withGraphql }) => [server, withGraphql]));
    await Promise.all([...servers].map((server) => server.stop()));
    await inference.close();
  };
}

/** New clusters have no GraphQL. So the newest tested version runs without it, and the driver uses Connect. */
function isWithoutGraphql(version: string): boolean {
  return version === testedVersions[0];
}
