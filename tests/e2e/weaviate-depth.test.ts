import { afterAll, beforeAll, expect } from 'vitest';
import { cachedServer } from '../../scripts/weaviate/cache.ts';
import { startWeaviate, type WeaviateServer } from '../../scripts/weaviate/server.ts';
import { weaviateRest } from '../contract/weaviate-target.ts';
import { importConnections } from './app.ts';
import { press } from './browser.ts';
import { gridOf } from './grid.ts';
import { openTable, refusedRequest } from './journey.ts';
import { sharedWeaviateJourney } from './weaviate-journey.ts';

const binary = cachedServer('1.39.0');
let server: WeaviateServer | null = null;

beforeAll(async () => {
  if (!binary) return;
  server = await startWeaviate({ binary, maximumResults: 37 });
  const properties = [{ name: 'n', dataType: ['int'] }];
  await weaviateRest(server.port, 'POST', '/schema', { class: 'Many', vectorizer: 'none', properties });
  const objects = Array.from({ length: 60 }, (_, n) => ({ class: 'Many', properties: { n } }));
  await weaviateRest(server.port, 'POST', '/batch/objects', { objects });
});
afterAll(() => server?.stop());

sharedWeaviateJourney(
  'if the server’s row limit is smaller than a page, the window shows a smaller page and says where paging ends',
  async ({ app, page }) => {
    const fields = { host: '127.0.0.1', port: server!.port, authMethod: 'none', sslMode: 'disabled' };
    await importConnections(app, [{ name: 'Small', driver: 'weaviate', fields }]);
    await press(page.getByRole('button', { name: /^Small/ }));
    await page.getByRole('button', { name: 'Collection Many', exact: true }).waitFor();
    await openTable(page, 'Many');
    await page.getByText('1–37 of 60').waitFor();
    await page.getByText('Paging ends at row 37 on this server (QUERY_MAXIMUM_RESULTS)').waitFor();
    await press(page.getByRole('button', { name: 'Next page' }));
    const refusal = page.getByRole('alert').filter({ hasText: 'does not page past row 37' });
    await refusal.waitFor();
    await refusal.getByRole('button', { name: 'Export…' }).waitFor();
    expect(await gridOf(page, 'Rows of Many').locator.count()).toBe(1);
  },
  { allow: refusedRequest },
);
