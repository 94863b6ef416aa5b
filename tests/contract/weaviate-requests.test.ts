import type { Session } from '@trestle/driver-kit';
import { startVectorNode } from '@trestle/vector-node';
import { expect, onTestFinished, test } from 'vitest';
import { type HttpProxy, startHttpProxy } from '../faults/http-proxy.ts';
import { call, connectWeaviate, weaviateRest } from './weaviate-target.ts';

/** Which requests the driver sends, seen by a proxy in front of the sample node. */

async function behindProxy(): Promise<{ proxy: HttpProxy; session: Session; port: number }> {
  const node = await startVectorNode();
  onTestFinished(() => node.stop());
  const proxy = await startHttpProxy(node.port);
  onTestFinished(() => proxy.close());
  const session = await connectWeaviate(proxy.port);
  onTestFinished(() => session.close());
  proxy.requests.length = 0;
  return { proxy, session, port: node.port };
}

const sent = (proxy: HttpProxy) =>
  proxy.requests.splice(0).map(({ method, path }) => `${method} ${path.split('?')[0]}`);

test('describing one collection reads the schema once, and so does describing all of them', async () => {
  const { proxy, session, port } = await behindProxy();
  await session.describeTable('Species', call);
  expect(sent(proxy)).toEqual(['GET /v1/schema']);
  const names = async () =>
    (await session.describeTables?.({ limit: 100 }, call))?.tables.map((one) => one.name);
  expect(await names()).toEqual(['Invention', 'Mission', 'MuseumNote', 'Species']);
  expect(sent(proxy)).toEqual(['GET /v1/schema']);
  await weaviateRest(port, 'DELETE', '/schema/Mission');
  expect(await names()).toEqual(['Invention', 'MuseumNote', 'Species']);
});
