import { expect, onTestFinished } from 'vitest';
import { importConnections } from './app.ts';
import { press } from './browser.ts';
import { gridOf } from './grid.ts';
import { type Journey, refusedRequest, sharedJourney } from './journey.ts';
import { graphqlServer, journeyServer, type StartedServer, serverKey } from './weaviate-servers.ts';

sharedJourney(
  `the editor shows the HTTP status and the time of a REST request to ${journeyServer.name}, also if it fails`,
  async (at) => {
    const { run, results } = await openEditor(at, await started(journeyServer));
    await run('GET /meta');
    const status = results.getByRole('status');
    await expect.poll(() => status.textContent()).toMatch(/^HTTP 200\d+(\.\d)? (ms|s)$/);
    await run('GET /objects/Nothing/00000000-0000-4000-8000-000000000000');
    await expect.poll(() => results.getByRole('alert').textContent()).toMatch(/\(HTTP 4\d\d\)|HTTP 4\d\d/);
    await expect.poll(() => status.textContent()).toMatch(/^Failed\d+(\.\d)? (ms|s)$/);
  },
  { allow: refusedRequest },
);

// Without GraphQL, a failed request fails the whole text.
sharedJourney(
  `for an answer of ${graphqlServer.name} with GraphQL errors, the editor shows the errors with their path, and the rows`,
  async (at) => {
    const server = await started(graphqlServer);
    const rest = async (path: string, body: unknown) => {
      const headers = { authorization: `Bearer ${serverKey}`, 'content-type': 'application/json' };
      const address = `http://127.0.0.1:${server.port}/v1${path}`;
      const { status } = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(status).toBe(200);
    };
    const properties = [{ name: 'title', dataType: ['text'] }];
    for (const collection of ['Whole', 'Broken']) {
      await rest('/schema', { class: collection, vectorizer: 'none', properties });
      await rest('/objects', { class: collection, properties: { title: 'here' }, vector: [1, 0, 0] });
    }
    const { run, results } = await openEditor(at, server);
    await run('{ Get { Whole { title } Broken(nearVector: {vector: [1, 2]}) { title } } }');
    const error = results.getByRole('alert');
    // The server reports an error, because the query has a vector of two numbers, and the stored vectors have three.
    await expect.poll(() => error.textContent()).toMatch(/vector.*Get › Broken$/i);
    expect(await error.count()).toBe(1);
    const grid = gridOf(at.page, 'Whole');
    await expect.poll(() => grid.texts('title')).toEqual(['here']);
    await expect.poll(() => results.getByRole('status').last().textContent()).toMatch(/^1 object/);
  },
);

async function started({ start }: typeof journeyServer): Promise<StartedServer> {
  const server = await start();
  onTestFinished(() => server.stop());
  return server;
}

async function openEditor({ page, app }: Journey, { port }: StartedServer) {
  const fields = { host: '127.0.0.1', port, authMethod: 'apiKey', apiKey: serverKey };
  await importConnections(app, [{ name: 'Cluster', driver: 'weaviate', fields }]);
  await press(page.getByRole('button', { name: /^Cluster/ }));
  await page
    .getByRole('complementary')
    .getByText(/^Weaviate \d/)
    .waitFor();
  await page.keyboard.press('Alt+n');
  const editor = page.getByRole('textbox', { name: 'Query 1' });
  await editor.waitFor();
  const run = async (text: string) => {
    await editor.focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
    await page.keyboard.press('ControlOrMeta+Enter');
  };
  return { run, results: page.getByRole('region', { name: 'Results' }) };
}
