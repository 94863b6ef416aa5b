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
    found.map(async ({ version, binary }) => ({
      version,
      binary,
      server: await startWeaviate({ binary, inferenceUrl: inference.url }),
    })),
  );
  project.provide(
    'weaviateServers',
    running.map(({ version, binary, server }) => ({ version, binary, port: server.port })),
  );
  return async () => {
    await Promise.all(running.map(({ server }) => server.stop()));
    await inference.close();
  };
}
