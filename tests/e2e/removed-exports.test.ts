import { expect } from 'vitest';
import { openWindow } from '../faults/window-client.ts';
import { journey } from './journey.ts';
import { addLibrary, connectClient, textOf } from './mcp-client.ts';
import { openIntegrations } from './settings.ts';

/** About 0.8 MB as CSV. */
const large =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) SELECT hex(randomblob(100)) FROM n';

journey('the activity page says that older exports were removed to make room', async ({ page, app }) => {
  await addLibrary(app, { aiPolicy: 'alwaysAllow' });
  await (await openWindow(app)).call('settings.update', { exportsMegabytes: 1 });
  const { call } = await connectClient(app);
  const exported = async () =>
    textOf(await call('export_data', { connection_id: 'Library', query: large, format: 'csv' }));
  expect(await exported()).not.toContain('removed');
  expect(await exported()).toContain('To make room, an older export was removed');
  await openIntegrations(page, 'Activity');
  await page.getByText(/^1 older exported file was removed to stay within the storage limits/).waitFor();
});
