import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { importConnections } from './app.ts';
import { choose, press, tabTo } from './browser.ts';
import { journey, openTable, sharedJourney } from './journey.ts';
import { journeyServer, sampleNode, serverKey, startCable, startGateway } from './weaviate-servers.ts';

/** The browser's own message for an answer with an error. */
const allow = /Failed to load resource/;

journey(
  `a lost connection to ${journeyServer.name} is reported once, with a countdown, until it is back`,
  async ({ page, app }) => {
    const server = await journeyServer.start();
    onTestFinished(() => server.stop());
    const put = async (path: string, body: unknown) => {
      const headers = { authorization: `Bearer ${serverKey}`, 'content-type': 'application/json' };
      const address = `http://127.0.0.1:${server.port}/v1${path}`;
      const { status } = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(status).toBe(200);
    };
    await put('/schema', { class: 'Lost', properties: [{ name: 'title', dataType: ['text'] }] });
    await put('/objects', { class: 'Lost', properties: { title: 'here' } });
    const cable = await startCable(server.port);
    onTestFinished(() => cable.close());
    const fields = { host: '127.0.0.1', port: cable.port, authMethod: 'apiKey', apiKey: serverKey };
    await importConnections(app, [{ name: 'Cluster', driver: 'weaviate', fields }]);
    await press(page.getByRole('button', { name: /^Cluster/ }));
    await openTable(page, 'Lost');

    await cable.cut();
    // A call to the server notices the loss. Refresh makes such a call.
    await press(page.getByRole('button', { name: 'Menu of Cluster' }), { back: true });
    await choose(page.getByRole('menuitem', { name: 'Refresh' }));
    const strip = page.getByText(/^The connection to “Cluster” is lost: .*The server answered before/);
    await strip.waitFor();
    await page.getByText(/^Next attempt in \d+ s$/).waitFor();
    await expect.poll(() => page.getByText(/Connection failed/).count()).toBe(0);
    expect(await page.getByText(/SSL Mode|TLS/).count()).toBe(0);
    expect(await page.getByRole('main').getByRole('alert').count()).toBe(1);
    // If another call noticed the lost connection before the refresh, the menu stays open.
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+p');
    await page.getByRole('option', { name: /^Disconnect/ }).waitFor();
    expect(await page.getByRole('option', { name: /^Refresh/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Alt+n');
    await run(page, '{ Get { Lost { title } } }');
    await page.getByText(/^No answer came/).waitFor();

    // In the editor, Tab indents. After Escape, Tab leaves the editor.
    await page.keyboard.press('Escape');
    await tabTo(page.getByRole('button', { name: 'Retry now' }), { back: true });
    await cable.mend();
    await page.keyboard.press('Enter');
    await strip.waitFor({ state: 'detached' });
    // “Retry now” disappears after a successful attempt, and the focus moves into the tab.
    const hasFocus = (panel: Element) => panel.contains(document.activeElement);
    await expect.poll(() => page.getByRole('tabpanel').evaluate(hasFocus)).toBe(true);
    await page.getByRole('button', { name: 'Collection Lost', exact: true }).waitFor();
    await expect.poll(() => page.getByText(/Connection failed|is lost/).count()).toBe(0);

    await run(page, '{ Get { Nowhere { title } } }');
    await page
      .getByRole('region', { name: 'Results' })
      .getByText(/Nowhere/)
      .waitFor();
    expect(await page.getByText(/^No answer came/).count()).toBe(0);
  },
  { allow },
);

sharedJourney(
  'Save & open with a new key opens a connection whose key was refused',
  async ({ page, app }) => {
    const server = await sampleNode.start();
    onTestFinished(() => server.stop());
    const fields = { host: '127.0.0.1', port: server.port, authMethod: 'apiKey', apiKey: 'wrong' };
    await importConnections(app, [{ name: 'Cluster', driver: 'weaviate', fields }]);
    await press(page.getByRole('button', { name: /^Cluster/ }));
    const side = page.getByRole('complementary');
    await side.getByText(/^Authentication failed/).waitFor();
    await press(side.getByRole('button', { name: 'Edit' }));
    const dialog = page.getByRole('dialog', { name: 'Edit connection' });
    await tabTo(dialog.getByLabel(/^API Key/));
    await page.keyboard.type(serverKey);
    await press(dialog.getByRole('button', { name: 'Save & open' }));
    await dialog.waitFor({ state: 'detached' });
    await side.getByText(/^Weaviate \d/).waitFor();
  },
  { allow },
);

sharedJourney(
  `a key that ${journeyServer.name} no longer accepts is reported once, and a new key opens the connection again`,
  async ({ page, app }) => {
    const server = await journeyServer.start();
    onTestFinished(() => server.stop());
    const rest = async (path: string, body: unknown) => {
      const headers = { authorization: `Bearer ${serverKey}`, 'content-type': 'application/json' };
      const address = `http://127.0.0.1:${server.port}/v1${path}`;
      const { status } = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(status).toBe(200);
    };
    await rest('/schema', { class: 'Kept', properties: [{ name: 'title', dataType: ['text'] }] });
    await rest('/objects', { class: 'Kept', properties: { title: 'here' } });
    // The gateway in front of the server accepts the key until the test rotates it.
    const gateway = await startGateway(server.port);
    onTestFinished(() => gateway.close());
    const fields = { host: '127.0.0.1', port: gateway.port, authMethod: 'apiKey', apiKey: serverKey };
    await importConnections(app, [{ name: 'Cluster', driver: 'weaviate', fields }]);
    await press(page.getByRole('button', { name: /^Cluster/ }));
    await openTable(page, 'Kept');
    const grid = page.getByRole('grid', { name: 'Rows of Kept' });
    await grid.waitFor();

    gateway.rotate('another-key');
    await page.keyboard.press('ControlOrMeta+r');
    const side = page.getByRole('complementary');
    await side.getByText(/^Authentication failed/).waitFor();
    await page.keyboard.press('Alt+n');
    await run(page, '{ Get { Kept { title } } }');
    const results = page.getByRole('region', { name: 'Results' });
    await results.getByText(/^The statement did not run: there is no connection/).waitFor();
    expect(await page.getByText(/Authentication failed/).count()).toBe(1);
    expect(await page.getByRole('main').getByRole('alert').count()).toBe(1);

    // In the editor, Tab indents. After Escape, Tab leaves the editor.
    await page.keyboard.press('Escape');
    await press(side.getByRole('button', { name: 'Edit' }), { back: true });
    const dialog = page.getByRole('dialog', { name: 'Edit connection' });
    await tabTo(dialog.getByLabel(/^API Key/));
    await page.keyboard.type('another-key');
    await press(dialog.getByRole('button', { name: 'Save & open' }));
    await dialog.waitFor({ state: 'detached' });
    await side.getByText(/^Weaviate \d/).waitFor();
    await expect.poll(() => page.getByText(/Authentication failed/).count()).toBe(0);
    await run(page, '{ Get { Kept { title } } }');
    await results.getByText('here').waitFor();
  },
  { allow },
);

async function run(page: Page, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'Query 1' });
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
  await page.keyboard.press('ControlOrMeta+Enter');
}
