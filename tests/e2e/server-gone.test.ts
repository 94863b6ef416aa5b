import { expect } from 'vitest';
import { startHttpProxy } from '../faults/http-proxy.ts';
import { press } from './browser.ts';
import { openTable, refusedRequest } from './journey.ts';
import { missions, openCluster, sharedWeaviateJourney, useWeaviate, uuidOf } from './weaviate-journey.ts';

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

sharedWeaviateJourney(
  'if the server goes away while a map or a comparison of rows runs, an error is shown, and a retry completes it',
  async (at) => {
    const { page } = at;
    await fill(320);
    const proxy = await startHttpProxy(weaviate.port);
    try {
      await openCluster(at, proxy.port);
      await openTable(page, 'Pointed');
      await page.getByText('1–200 of 320').waitFor();
      const failure = page.getByRole('alert').filter({ hasText: 'Connection failed' }).first();
      const again = failure.getByRole('button', { name: 'Try again' });

      let pages = 0;
      proxy.decide = ({ path }) => (path.includes('after=') && ++pages > 1 ? 'reset' : 'pass');
      await press(page.getByRole('button', { name: 'Map', exact: true }), { back: true });
      await failure.waitFor();
      proxy.decide = () => 'pass';
      await press(again);
      await page.getByText('320 points').waitFor();

      let searches = 0;
      proxy.decide = ({ path }) => (isQuery(path) && ++searches > 20 ? 'reset' : 'pass');
      await press(page.getByRole('button', { name: 'Neighbours', exact: true }), { back: true });
      await failure.waitFor();
      proxy.decide = () => 'pass';
      await press(again);
      await page.getByText(/^320 of 320 rows compared\./).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    } finally {
      await proxy.close();
    }
  },
  { allow: refusedRequest },
);

sharedWeaviateJourney(
  'if the server goes away while searches are compared or a query set runs, errors are shown, and a retry succeeds',
  async (at) => {
    const { page } = at;
    const proxy = await startHttpProxy(weaviate.port);
    try {
      await openCluster(at, proxy.port);
      await openTable(page, 'Missions');
      await press(page.getByRole('button', { name: 'Compare', exact: true }), { back: true });
      const query = page.getByRole('textbox', { name: 'Query to compare' });
      await query.waitFor();

      // The first search is answered. The searches of the other two columns fail.
      let searches = 0;
      proxy.decide = ({ path }) => (isQuery(path) && ++searches > 1 ? 'reset' : 'pass');
      await page.keyboard.press('ControlOrMeta+k');
      await expect.poll(() => query.evaluate((input) => input === document.activeElement)).toBe(true);
      await page.keyboard.insertText('moon');
      const failed = page.getByRole('alert').filter({ hasText: 'Connection failed' });
      await expect.poll(() => failed.count()).toBe(2);
      proxy.decide = () => 'pass';
      for (const left of [1, 0]) {
        await press(failed.first().getByRole('button', { name: 'Retry' }));
        await expect.poll(() => failed.count()).toBe(left);
      }
      const columns = page.getByRole('list', { name: /^Results of / });
      await expect.poll(() => columns.count()).toBe(3);

      await press(page.getByRole('button', { name: 'Query set' }), { back: true });
      const lines = missions.map(({ title }, index) => `${title},${uuidOf(index)}`);
      const buffer = Buffer.from(['query,id', ...lines].join('\n'));
      await page.getByLabel('CSV of queries').setInputFiles({ name: 'q.csv', mimeType: 'text/csv', buffer });
      await page.getByText(`${missions.length} queries imported`).waitFor();
      searches = 0;
      proxy.decide = ({ path }) => (isQuery(path) && ++searches > 6 ? 'reset' : 'pass');
      await press(page.getByRole('button', { name: 'Run all' }));
      const told = page.getByRole('alert').filter({ hasText: `of ${missions.length * 3} searches failed` });
      await told.filter({ hasText: 'Connection failed' }).waitFor();
      const means = page.getByRole('table', { name: 'Metrics of each column' });
      await means
        .getByText(/\d failed/)
        .first()
        .waitFor();
      proxy.decide = () => 'pass';
      await press(page.getByRole('button', { name: 'Run all' }));
      await told.waitFor({ state: 'detached' });
      await means.waitFor();
      expect(await page.getByText('failed').count()).toBe(0);
      // A run with failed searches is not compared with the next run.
      expect(await means.textContent()).not.toMatch(/[+−]0\.\d\d/);
      expect(await page.getByRole('alert').count()).toBe(0);
    } finally {
      await proxy.close();
    }
  },
  { allow: refusedRequest },
);

function isQuery(path: string): boolean {
  return path === '/v1/graphql' || path.endsWith('/weaviate.v1.Weaviate/Search');
}
