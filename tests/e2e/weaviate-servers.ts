import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmbedder, digestOf, startVectorNode } from '../../samples/vector-node/src/index.ts';
import { cachedServer } from '../../scripts/weaviate/cache.ts';
import { startWeaviate } from '../../scripts/weaviate/server.ts';
import { newestWeaviate, testedVersions } from '../../scripts/weaviate/versions.ts';

export const serverKey = 'key-of-the-server';

export interface StartedServer {
  port: number;
  stop(): Promise<void>;
}

/** The sample node and each tested version of Weaviate on this machine, all with the same key. */
const weaviateServers: { name: string; hasGraphql: boolean; start(): Promise<StartedServer> }[] = [
  { name: 'the sample node', hasGraphql: true, start: startSampleNode },
  ...testedVersions.flatMap((version) => {
    const binary = cachedServer(version);
    // New clusters have no GraphQL. The oldest version has no Connect.
    const hasGraphql = version !== newestWeaviate;
    const environment: Record<string, string> = hasGraphql ? {} : { DISABLE_GRAPHQL: 'true' };
    const start = () => startWeaviate({ binary: binary!, apiKey: serverKey, environment });
    return binary ? [{ name: `Weaviate ${version}`, hasGraphql, start }] : [];
  }),
];

export const [sampleNode] = weaviateServers as [(typeof weaviateServers)[number]];

/**
 * The newest Weaviate on this machine, or else the sample node. One server is enough for a journey: the driver contract
 * runs on all of them.
 */
export const journeyServer = weaviateServers.find(({ hasGraphql }) => !hasGraphql) ?? sampleNode;

/** The oldest Weaviate on this machine, or else the sample node. */
export const graphqlServer = weaviateServers.findLast(({ hasGraphql }) => hasGraphql) ?? sampleNode;

async function startSampleNode(): Promise<StartedServer> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'trestle-node-'));
  const vectors = join(import.meta.dirname, '..', '..', 'dist', 'sample', 'word-vectors.bin');
  const node = await startVectorNode({
    port: 0,
    keyDigest: digestOf(serverKey),
    dataFolder,
    embed: createEmbedder(vectors),
  });
  return {
    port: node.port,
    async stop() {
      await node.stop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

/**
 * A TCP proxy to a server. After `cut`, nothing listens on the proxy's port. After `mend`, the proxy listens on that
 * port again.
 */
export async function startCable(targetPort: number) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const target = connect(targetPort, '127.0.0.1');
    for (const end of [socket, target]) {
      sockets.add(end);
      end.on('error', () => {}).once('close', () => sockets.delete(end));
    }
    socket.pipe(target).pipe(socket);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { port, cut, mend: () => listen(port), close: () => (server.listening ? cut() : Promise.resolve()) };
}

/**
 * A gateway in front of a server. The gateway's key can be rotated. The gateway replaces its current key by the
 * server's key, and any other key by a wrong key. So the server itself refuses a request with an old key.
 */
export async function startGateway(targetPort: number) {
  let key = serverKey;
  const server = createHttpServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const authorization =
      headers.authorization === `Bearer ${key}` ? `Bearer ${serverKey}` : 'Bearer rotated';
    const target = request(
      { host: '127.0.0.1', port: targetPort, method, path, headers: { ...headers, authorization } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    target.on('error', () => outgoing.destroy());
    incoming.pipe(target);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    rotate(next: string) {
      key = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
