import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { importConnections, type TestApp } from './app.ts';
import { choose, press, tabTo } from './browser.ts';
import { sharedJourney } from './journey.ts';
import { journeyServer, serverKey } from './weaviate-servers.ts';

const certificates = join(import.meta.dirname, '..', 'real-weaviate', 'certificates');
const certificate = {
  cert: readFileSync(join(certificates, 'self-signed.pem')),
  key: readFileSync(join(certificates, 'self-signed-key.pem')),
};

async function listen(server: Server): Promise<number> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const add = (app: TestApp, name: string, fields: object) =>
  importConnections(app, [{ name, driver: 'weaviate', fields }]);

/** Opens the connection's form and tests the connection without changes. */
async function openAndTest(page: Page, name: string) {
  await press(page.getByRole('button', { name: `More for ${name}` }));
  await choose(page.getByRole('menuitem', { name: 'Edit' }));
  const dialog = page.getByRole('dialog', { name: 'Edit connection' });
  await press(dialog.getByRole('button', { name: 'Test connection' }));
  const stages = dialog.getByRole('list', { name: 'Stages of the test' }).getByRole('listitem');
  return {
    dialog,
    outcome: dialog.getByRole('alert').or(dialog.getByRole('status')).last(),
    /** One text per stage, such as `done Connect`. */
    stages: () =>
      stages.evaluateAll((items) =>
        items.map(
          (item) => `${item.querySelector('[role]')?.getAttribute('aria-label')} ${item.textContent}`,
        ),
      ),
    async close() {
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    },
  };
}

sharedJourney(
  `a connection test shows its stages on ${journeyServer.name}, and marks the stage that fails`,
  async ({ page, app }) => {
    const server = await journeyServer.start();
    onTestFinished(() => server.stop());
    const host = '127.0.0.1';
    await add(app, 'No key', { host, port: server.port });
    const secured = createSecureServer(certificate, (incoming, outgoing) => {
      const { method, url: path, headers } = incoming;
      const target = request({ port: server.port, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(target);
    });
    const securePort = await listen(secured);
    await add(app, 'Self-signed', { host, port: securePort, sslMode: 'required' });
    await add(app, 'Nowhere', { host: 'no-such-host.invalid' });
    await add(app, 'Nothing there', { host, port: 9 });

    const refused = await openAndTest(page, 'No key');
    await expect.poll(refused.stages).toEqual(['done Resolve host', 'done Connect', 'failed Authenticate']);
    expect(await refused.outcome.textContent()).toMatch(/^Authentication failed: /);
    await press(refused.dialog.getByRole('combobox', { name: 'Auth Method' }));
    await choose(page.getByRole('option', { name: 'API Key' }));
    // The result was for the old Auth Method, so the form removes it.
    await expect.poll(refused.stages).toEqual([]);
    await tabTo(refused.dialog.getByLabel(/^API Key/));
    await page.keyboard.type(serverKey);
    await press(refused.dialog.getByRole('button', { name: 'Test connection' }));
    await expect
      .poll(refused.stages)
      .toEqual(['done Resolve host', 'done Connect', 'done Authenticate', 'done Version']);
    expect(await refused.outcome.textContent()).toMatch(/^Connected to Weaviate /);
    await press(refused.dialog.getByRole('button', { name: 'Save', exact: true }));
    await refused.dialog.waitFor({ state: 'detached' });

    const selfSigned = await openAndTest(page, 'Self-signed');
    await expect.poll(selfSigned.stages).toEqual(['done Resolve host', 'done Connect', 'failed TLS']);
    const words = await selfSigned.outcome.textContent();
    expect(words).toContain('SSL Mode Required (skip verify)');
    expect(words).toContain('Skip TLS Verification');
    await selfSigned.close();

    const nowhere = await openAndTest(page, 'Nowhere');
    await expect.poll(nowhere.stages).toEqual(['failed Resolve host']);
    await nowhere.close();
    const nothing = await openAndTest(page, 'Nothing there');
    await expect.poll(nothing.stages).toEqual(['done Resolve host', 'failed Connect']);
    expect(await nothing.outcome.textContent()).toMatch(/^Connection failed: no server at 127\.0\.0\.1:9/);
    await nothing.close();
  },
);

sharedJourney(
  'a stage is shown while it runs, and a message says that a server is not Weaviate',
  async ({ page, app }) => {
    const held: (() => void)[] = [];
    const server = createServer((_request, response) => {
      held.push(() => response.writeHead(200).end('<html><body>Welcome to nginx!</body></html>'));
    });
    const port = await listen(server);
    await add(app, 'Website', { host: '127.0.0.1', port });
    const test = await openAndTest(page, 'Website');
    await expect.poll(test.stages).toEqual(['done Resolve host', 'done Connect', 'running Authenticate']);
    // The window may show the stage before the request arrives.
    await expect.poll(() => held.length).toBeGreaterThan(0);
    for (const answer of held) answer();
    await expect
      .poll(test.stages)
      .toEqual(['done Resolve host', 'done Connect', 'done Authenticate', 'failed Version']);
    const words = await test.outcome.textContent();
    expect(words).toContain(`127.0.0.1:${port} answers, but is not a Weaviate server (HTTP 200)`);
    expect(words).not.toMatch(/nginx|<html/);
  },
);

sharedJourney('a change of the form ends a running test', async ({ page, app }) => {
  const held: (() => void)[] = [];
  const server = createServer((_request, response) => {
    held.push(() => response.writeHead(200).end('no'));
  });
  await add(app, 'Slow', { host: '127.0.0.1', port: await listen(server) });
  const test = await openAndTest(page, 'Slow');
  await test.dialog.getByRole('button', { name: 'Cancel test' }).waitFor();
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await tabTo(test.dialog.getByRole('textbox', { name: 'Host' }));
  await page.keyboard.type('x');
  await test.dialog.getByRole('button', { name: 'Test connection' }).waitFor();
  expect(await test.stages()).toEqual([]);
  for (const answer of held) answer();
});

sharedJourney('a secret field that is emptied again counts as unchanged', async ({ page }) => {
  await press(page.getByRole('button', { name: 'More for Sample: Weaviate' }));
  await choose(page.getByRole('menuitem', { name: 'Edit' }));
  const dialog = page.getByRole('dialog', { name: 'Edit connection' });
  const remove = dialog.getByRole('button', { name: 'Remove', exact: true });
  await remove.waitFor();
  await tabTo(dialog.getByLabel(/^API Key/));
  await page.keyboard.type('x');
  await remove.waitFor({ state: 'detached' });
  await page.keyboard.press('Backspace');
  await remove.waitFor();
  // Nothing has changed, so Escape asks no question.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

sharedJourney(
  'Duplicate in the form opens a new form with a new name and no stored secret',
  async ({ page }) => {
    await press(page.getByRole('button', { name: 'More for Sample: Weaviate' }));
    await choose(page.getByRole('menuitem', { name: 'Edit' }));
    const edit = page.getByRole('dialog', { name: 'Edit connection' });
    await press(edit.getByRole('button', { name: 'Duplicate' }));
    const copy = page.getByRole('dialog', { name: 'New connection' });
    await expect
      .poll(() => copy.getByRole('textbox', { name: 'Name' }).inputValue())
      .toBe('Sample: Weaviate copy');
    // A copy has no stored secret that could be removed.
    expect(await copy.getByRole('button', { name: 'Remove', exact: true }).count()).toBe(0);
  },
);

sharedJourney('Save moves the focus to a header that has no value', async ({ page, app }) => {
  await add(app, 'With header', { host: 'first.example' });
  await press(page.getByRole('button', { name: 'More for With header' }));
  await choose(page.getByRole('menuitem', { name: 'Edit' }));
  const dialog = page.getByRole('dialog', { name: 'Edit connection' });
  await press(dialog.getByRole('button', { name: /^Advanced/ }));
  await press(dialog.getByRole('button', { name: 'Add header' }));
  await page.keyboard.type('X-Key');
  await press(dialog.getByRole('button', { name: 'Save', exact: true }));
  const header = dialog.getByRole('textbox', { name: 'Header 1: name' });
  await expect.poll(() => header.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  await press(page.getByRole('button', { name: 'Discard changes' }));
});

sharedJourney(
  'a URL typed as host is split when Enter saves the form, and a used name is refused',
  async ({ page, app }) => {
    await add(app, 'First', { host: 'first.example' });
    await add(app, 'Second', { host: 'second.example' });
    await press(page.getByRole('button', { name: 'More for Second' }));
    await choose(page.getByRole('menuitem', { name: 'Edit' }));
    const dialog = page.getByRole('dialog', { name: 'Edit connection' });
    const replace = async (label: string, text: string) => {
      await tabTo(dialog.getByRole('textbox', { name: label }));
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    };
    await replace('Name', 'First');
    await press(dialog.getByRole('button', { name: 'Save', exact: true }));
    await dialog.getByText('A connection named “First” already exists').waitFor();
    await replace('Name', 'Third');
    await replace('Host', 'ftp://third.example');
    await press(dialog.getByRole('button', { name: 'Save', exact: true }));
    await dialog.getByText('Host must be a host name or an address, such as localhost, not a URL').waitFor();
    await replace('Host', 'https://third.example:8443/v1');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const saved = ((await app.ask('connections.list')) as { name: string }[]).find(
      ({ name }) => name === 'Third',
    );
    expect(saved).toMatchObject({ fields: { host: 'third.example', port: 8443, sslMode: 'required' } });
  },
  { allow: /Failed to load resource/ },
);
