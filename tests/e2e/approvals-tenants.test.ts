import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { importConnections } from './app.ts';
import { press } from './browser.ts';
import { sharedJourney } from './journey.ts';
import { connectClient, textOf } from './mcp-client.ts';
import { journeyServer, serverKey } from './weaviate-servers.ts';

sharedJourney(
  `the dialog counts the rows that a client would destroy in tenants of ${journeyServer.name}, except cold tenants`,
  async ({ page, app }) => {
    const server = await journeyServer.start();
    onTestFinished(() => server.stop());
    const rest = async (method: string, path: string, body?: unknown) => {
      const headers = { authorization: `Bearer ${serverKey}`, 'content-type': 'application/json' };
      const address = `http://127.0.0.1:${server.port}/v1${path}`;
      return fetch(address, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    };
    await rest('POST', '/schema', {
      class: 'Notes',
      vectorizer: 'none',
      multiTenancyConfig: { enabled: true },
      properties: [{ name: 'title', dataType: ['text'] }],
    });
    await rest('POST', '/schema/Notes/tenants', [{ name: 'acme' }, { name: 'beta' }, { name: 'zeta' }]);
    for (const tenant of ['acme', 'acme', 'beta', 'zeta']) {
      const object = { class: 'Notes', tenant, properties: { title: `Of ${tenant}` } };
      expect((await rest('POST', '/objects', object)).status).toBe(200);
    }
    const cold = [{ name: 'zeta', activityStatus: 'COLD' }];
    expect((await rest('PUT', '/schema/Notes/tenants', cold)).status).toBe(200);

    const fields = { host: '127.0.0.1', port: server.port, authMethod: 'apiKey', apiKey: serverKey };
    const levels = { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' };
    const connections = [{ name: 'Cluster', driver: 'weaviate', fields, ...levels }];
    await importConnections(app, connections);
    await page.getByRole('button', { name: /^Cluster/ }).waitFor();
    const { call } = await connectClient(app, { permission: 'fullAccess' });
    const run = (query: string) =>
      call('confirm_destructive_operation', { connection_id: 'Cluster', query, reason: 'A clean start' });

    const where = '{"path": ["title"], "operator": "Like", "valueText": "*"}';
    const ofRows = run(
      `DELETE /v1/batch/objects?tenant=acme {"match": {"class": "Notes", "where": ${where}}}`,
    );
    expect(await allow(page)).toBe('Changed or deleted: 2 rows of Notes (acme). This cannot be undone.');
    expect((await ofRows).isError).toBeFalsy();

    const ofTenants = run('DELETE /v1/schema/Notes/tenants ["acme", "beta"]');
    expect(await allow(page)).toBe(
      'Changed or deleted: 0 rows of Notes (acme), 1 row of Notes (beta). This cannot be undone.',
    );
    expect((await ofTenants).isError).toBeFalsy();

    await rest('POST', '/schema/Notes/tenants', [{ name: 'acme' }, { name: 'beta' }]);
    for (const tenant of ['acme', 'beta', 'beta']) {
      await rest('POST', '/objects', { class: 'Notes', tenant, properties: { title: 'Again' } });
    }
    const ofAll = run('DELETE /v1/schema/Notes');
    // The app cannot count the objects of a cold tenant.
    expect(await allow(page)).toBe(
      'Changed or deleted: 3 rows of Notes, an unknown number of rows of Notes (zeta). This cannot be undone.',
    );
    expect(textOf(await ofAll)).not.toMatch('denied');
    expect((await rest('GET', '/schema/Notes')).status).toBe(404);
  },
);

/** Approves the statement, and returns the dialog's sentence about the loss. */
async function allow(page: Page): Promise<string | null> {
  const dialog = page.getByRole('alertdialog', { name: 'Let “Notebook” destroy data in “Cluster”?' });
  await dialog.waitFor();
  const loss = await dialog.getByText(/This cannot be undone\.$/).textContent();
  // A dialog ignores answers in its first half second, counted from its first frame.
  await page.evaluate(
    () =>
      new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 600)))),
  );
  await press(dialog.getByRole('button', { name: 'Run it and lose the data' }));
  await dialog.waitFor({ state: 'detached' });
  return loss;
}
