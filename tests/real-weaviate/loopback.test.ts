import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
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

  test('gRPC refuses a search, because it accepts only one byte per message', async () => {
    const search = Buffer.from([0x0a, 4, ...Buffer.from('Door')]);
    const { status, message, body } = await askGrpc(ports + 2, '/weaviate.v1.Weaviate/Search', search);
    expect({ status, message, bytes: body.length }).toEqual({
      status: '8',
      message: 'grpc: received message larger than max (6 vs. 1)',
      bytes: 0,
    });
  });
});

/** One call in gRPC's framing: a flag byte, the length in four bytes, then the message. */
async function askGrpc(port: number, path: string, message: Buffer) {
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' };
  const stream = session.request(headers);
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(message.length, 1);
  const seen: Record<string, unknown> = {};
  for (const event of ['response', 'trailers'] as const)
    stream.on(event, (fields: object) => Object.assign(seen, fields));
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.end(Buffer.concat([frame, message]));
  await once(stream, 'close');
  session.close();
  return { status: seen['grpc-status'], message: seen['grpc-message'], body: Buffer.concat(chunks) };
}
