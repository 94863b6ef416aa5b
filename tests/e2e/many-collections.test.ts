import { connectPath } from '@trestle/weaviate-connect';
import { expect, onTestFinished } from 'vitest';
import { startVectorNode } from '../../samples/vector-node/src/index.ts';
import { startHttpProxy } from '../faults/http-proxy.ts';
import { importConnections } from './app.ts';
import { press } from './browser.ts';
import { type Journey, sharedJourney } from './journey.ts';

/** Opens a connection to a node with this many collections. A proxy in front of the node notes the requests. */
async function open({ app, page }: Journey, collections: number) {
  const node = await startVectorNode({ seed: false });
  onTestFinished(() => node.stop());
  for (let at = 0; at < collections; at++) await create(node.port, at);
  const proxy = await startHttpProxy(node.port);
  onTestFinished(() => proxy.close());
  const fields = { host: '127.0.0.1', port: proxy.port, authMethod: 'none', sslMode: 'disabled' };
  await importConnections(app, [{ name: 'Many', driver: 'weaviate', fields }]);
  await press(page.getByRole('button', { name: /^Many/ }), { back: true });
  const cards = page.locator('[data-home] li button');
  await expect.poll(() => cards.count()).toBe(collections);
  const onScreen = () =>
    cards.evaluateAll(
      (all) =>
        all.filter((card) => {
          const { top, bottom } = card.getBoundingClientRect();
          return bottom > 0 && top < innerHeight;
        }).length,
    );
  const counted = cards.filter({ hasText: /0 ?objects, 6 columns/ });
  await expect.poll(async () => (await counted.count()) - (await onScreen())).toBe(0);
  const requests = proxy.requests.splice(0);
  const schemas = requests.filter(({ path }) => path === '/v1/schema');
  const counts = requests.filter(({ path }) => path === connectPath('Aggregate'));
  return {
    ...{ cards, counted, proxy },
    schemas: schemas.length,
    counts: counts.length,
    // The server is asked for its version, and whether it offers Connect.
    others: requests.length - schemas.length - counts.length,
    bytes: requests.reduce((sum, { answered }) => sum + answered, 0),
    schemaBytes: schemas[0]!.answered,
    shown: await counted.count(),
  };
}

async function create(port: number, at: number): Promise<void> {
  const properties = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, dataType: ['text'] }));
  const body = JSON.stringify({ class: `C${String(at).padStart(3, '0')}`, vectorizer: 'none', properties });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${port}/v1/schema`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
}

sharedJourney(
  '300 collections open with one read of the schema and a count for each card on the screen',
  async (journey) => {
    const opened = await open(journey, 300);
    expect(opened).toMatchObject({ schemas: 1, counts: opened.shown });
    expect(opened.shown).toBeLessThan(45);
    expect(opened.others).toBeLessThan(5);
    expect(opened.bytes).toBeLessThan(opened.schemaBytes + 10_000);

    await opened.cards.last().scrollIntoViewIfNeeded();
    await opened.cards.last().getByText('6 columns').waitFor();
    const paths = opened.proxy.requests.map(({ path }) => path);
    expect(paths.filter((path) => path === '/v1/schema').length).toBeLessThan(2);
    expect(paths.length).toBeLessThan(45);
  },
);
