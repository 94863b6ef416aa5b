import { expect } from 'vitest';
import { startHttpProxy } from '../faults/http-proxy.ts';
import { press } from './browser.ts';
import { openTable, refusedRequest } from './journey.ts';
import { openCluster, useWeaviate, weaviateJourney } from './weaviate-journey.ts';

const weaviate = useWeaviate();

async function fill(total: number): Promise<void> {
  await weaviate.rest('POST', '/schema', {
    class: 'Pointed',
    vectorizer: 'none',
    properties: [{ name: 'title', dataType: ['text'] }],
  });
  const objects = Array.from({ length: total }, (_, row) => ({
    class: 'Pointed',
    properties: { title: `Point ${row}` },
    vector: Array.from({ length: 8 }, (_, at) => Math.sin((row + 1) * (at + 1))),
  }));
  await weaviate.rest('POST', '/batch/objects', { objects });
}

weaviateJourney(
  'if a server goes away while a map or a comparison runs, the message names it, and a retry is complete',
  async (at) => {
    const { page } = at;
    await fill(1_200);
    const proxy = await startHttpProxy(weaviate.port);
    try {
      await openCluster(at, proxy.port);
      await openTable(page, 'Pointed');
      await page.getByText('1–200 of 1,200').waitFor();
      const failure = page.getByRole('alert').filter({ hasText: 'Connection failed' }).first();
      const again = failure.getByRole('button', { name: 'Try again' });

      let pages = 0;
      proxy.decide = ({ path }) => (path.includes('after=') && ++pages > 1 ? 'reset' : 'pass');
      await press(page.getByRole('button', { name: 'Map', exact: true }), { back: true });
      await failure.waitFor();
      proxy.decide = () => 'pass';
      await press(again);
      await page.getByText('1,200 points').waitFor();

      let searches = 0;
      proxy.decide = ({ path }) => (path === '/v1/graphql' && ++searches > 20 ? 'reset' : 'pass');
      await press(page.getByRole('button', { name: 'Neighbours', exact: true }), { back: true });
      await press(page.getByRole('button', { name: 'Compare 1,200 rows' }));
      await failure.waitFor();
      proxy.decide = () => 'pass';
      await press(again);
      await page.getByText(/^1,200 of 1,200 rows compared\./).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    } finally {
      await proxy.close();
    }
  },
  { allow: refusedRequest },
);
