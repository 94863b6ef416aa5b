import type { EventEmitter } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePorts } from '../../scripts/weaviate/ports.ts';
import { startWeaviate, type WeaviateServer } from '../../scripts/weaviate/server.ts';
import { describeOnWeaviate, rest } from './servers.ts';

// Weaviate opens its cluster API and gRPC on every address of the machine, whatever --host says.
describeOnWeaviate('the ports other than REST', ({ binary }) => {
  let server: WeaviateServer;
  let ports: number;

  beforeAll(async () => {
    ports = await freePorts(3);
    const environment = {
      CLUSTER_GOSSIP_BIND_PORT: String(ports),
      CLUSTER_DATA_BIND_PORT: String(ports + 1),
      GRPC_PORT: String(ports + 2),
    };
    server = await startWeaviate({ binary, environment });
    await rest(server.port, 'POST', '/schema', {
      class: 'Door',
      properties: [{ name: 'name', dataType: ['text'] }],
    });
    await rest(server.port, 'POST', '/objects', { class: 'Door', properties: { name: 'inside' } });
  });
  afterAll(() => server?.stop());

  test("the cluster's own API asks for a password, except at its root path", async () => {
    const cluster = `http://127.0.0.1:${ports + 1}`;
    expect((await fetch(cluster)).status).toBe(200);
    for (const path of ['/nodes/status', '/indices/Door/shards/any/objects'])
      expect((await fetch(cluster + path)).status).toBe(401);
  });

  test('gRPC accepts no connection, with TLS or without: no server can use its certificate', async () => {
    const port = ports + 2;
    const plain = connectHttp2(`http://127.0.0.1:${port}`);
    expect(await firstOf(plain, 'remoteSettings', 'error', 'close')).not.toBe('remoteSettings');
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = connectTls({
        ...{ port, host: '127.0.0.1', ALPNProtocols: ['h2'], rejectUnauthorized: false },
        ...{ minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' },
      });
      expect(await firstOf(socket, 'secureConnect', 'error', 'close'), version).toBe('error');
    }
  });
});

function firstOf(emitter: EventEmitter, ...events: string[]): Promise<string> {
  return new Promise((resolve) => {
    for (const event of events) emitter.once(event, () => resolve(event));
  });
}
