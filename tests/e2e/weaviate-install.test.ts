import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { cachedServer } from '../../scripts/weaviate/cache.ts';
import { startWeaviate } from '../../scripts/weaviate/server.ts';
import { newestWeaviate } from '../../scripts/weaviate/versions.ts';
import { press, tabTo } from './browser.ts';
import { journey, refusedRequest } from './journey.ts';
import { useServedRegistry } from './served-registry.ts';

const registry = useServedRegistry();
const { env } = registry;

const installed = async (app: { json(...args: string[]): Promise<unknown> }) =>
  ((await app.json('plugins', 'list')) as { id: string }[]).map(({ id }) => id);

/** Starts a real server with one collection and anonymous access. Returns its port. */
async function startServer(binary: string): Promise<number> {
  const server = await startWeaviate({ binary });
  onTestFinished(async () => void (await server.stop()));
  const answer = await fetch(`${server.url}/v1/schema`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      class: 'Thing',
      vectorizer: 'none',
      properties: [{ name: 'title', dataType: ['text'] }],
    }),
  });
  expect(answer.status).toBe(200);
  return server.port;
}

const seesHalf = (page: Page) => page.getByRole('status').getByText(/^Downloading \d+ kB of \d+ kB$/);

const binary = cachedServer(newestWeaviate);
if (!binary) {
  // These journeys connect to a real server. CI has it, and fails without it.
  test.skip(`needs Weaviate ${newestWeaviate}: npm run weaviate -- --fill-cache gets it`, () => {});
} else {
  journey(
    `the user chooses Weaviate, downloads its driver, fills in the form and connects`,
    async ({ page, app }) => {
      const port = await startServer(binary);
      await registry.trust(app);
      await press(page.getByRole('button', { name: 'New connection' }), { back: true });
      const dialog = page.getByRole('dialog', { name: 'New connection' });
      await press(dialog.getByRole('button', { name: /^Weaviate/ }));
      const facts = dialog.getByRole('definition');
      await expect.poll(() => facts.allTextContents()).toHaveLength(5);
      expect(await facts.allTextContents()).toEqual([
        'weaviate',
        '0.1.0',
        expect.stringMatching(/^\d+ kB$/),
        'Trestle (this checkout)',
        expect.stringMatching(/^Connects to .* that you .*Runs in its own process$/),
      ]);
      expect(await installed(app)).toEqual(['sqlite']);
      registry.state.isHeld = true;
      await press(dialog.getByRole('button', { name: 'Download' }));
      await seesHalf(page).waitFor();
      await expect
        .poll(() => dialog.getByRole('progressbar').evaluate((bar: HTMLProgressElement) => bar.value))
        .toBeCloseTo(0.5, 1);
      registry.release();
      const host = dialog.getByRole('textbox', { name: 'Host' });
      await tabTo(host);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('127.0.0.1');
      await tabTo(dialog.getByRole('textbox', { name: 'Port' }));
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(String(port));
      await press(dialog.getByRole('button', { name: 'Save & open' }));
      await page.getByRole('button', { name: 'Collection Thing', exact: true }).waitFor();
      expect(await installed(app)).toEqual(['sqlite', 'weaviate']);
    },
    { env },
  );

  journey(
    'opening a saved connection installs its driver without asking, shows the progress, and connects',
    async ({ page, app }) => {
      const port = await startServer(binary);
      await registry.trust(app);
      const fields = { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled' };
      const file = join(app.folder, 'saved.json');
      writeFileSync(file, JSON.stringify({ connections: [{ name: 'Cluster', driver: 'weaviate', fields }] }));
      await app.json('connections', 'import', file);
      expect(await installed(app)).toEqual(['sqlite']);
      registry.state.isHeld = true;
      await press(page.getByRole('button', { name: /^Cluster/ }));
      await page.getByText('The driver is being installed.').waitFor();
      await seesHalf(page).waitFor();
      registry.release();
      await page.getByRole('button', { name: 'Collection Thing', exact: true }).waitFor();
      expect(await installed(app)).toEqual(['sqlite', 'weaviate']);
    },
    { env },
  );
}

journey(
  'if the user closes the dialog during a driver download, no form opens when the download ends',
  async ({ page, app }) => {
    await registry.trust(app);
    registry.state.isHeld = true;
    const dialog = page.getByRole('dialog', { name: 'New connection' });
    const weaviate = dialog.getByRole('button', { name: /^Weaviate/ });
    await press(page.getByRole('button', { name: 'New connection' }), { back: true });
    await press(weaviate);
    await press(dialog.getByRole('button', { name: 'Download' }));
    await seesHalf(page).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await press(page.getByRole('button', { name: 'New connection' }), { back: true });
    await expect.poll(() => weaviate.textContent()).toContain('Download');
    registry.release();
    await expect.poll(() => weaviate.textContent()).not.toContain('Download');
    await tabTo(dialog.getByLabel('Search database types'));
    await page.keyboard.type('Weaviate', { delay: 50 });
    await weaviate.waitFor();
    expect(await installed(app)).toEqual(['sqlite', 'weaviate']);
  },
  { env },
);

journey(
  'if the registry is down, an error with Try again is shown, and Try again works once the registry is up',
  async ({ page, app }) => {
    await registry.trust(app);
    const file = join(app.folder, 'saved.json');
    const fields = { host: '127.0.0.1', port: 1, authMethod: 'none', sslMode: 'disabled' };
    writeFileSync(file, JSON.stringify({ connections: [{ name: 'Cluster', driver: 'weaviate', fields }] }));
    await app.json('connections', 'import', file);
    registry.state.isDown = true;
    const message = page.getByRole('alert').filter({ hasText: /^The plugin registry at 127\.0\.0\.1:\d+ / });

    // The app has a copy of the registry's index, so the app offers the download.
    await press(page.getByRole('button', { name: 'New connection' }), { back: true });
    const dialog = page.getByRole('dialog', { name: 'New connection' });
    await press(dialog.getByRole('button', { name: /^Weaviate/ }));
    await press(dialog.getByRole('button', { name: 'Download' }));
    await message.waitFor();
    await dialog.getByRole('button', { name: 'Try again' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // A saved connection shows the same error.
    await press(page.getByRole('button', { name: /^Cluster/ }));
    await message.waitFor();
    registry.state.isDown = false;
    await press(page.getByRole('button', { name: 'Try again' }));
    // The driver is installed now, and cannot connect to port 1.
    await page.getByRole('alert').filter({ hasText: 'Connection failed' }).waitFor();
    expect(await installed(app)).toEqual(['sqlite', 'weaviate']);
  },
  { env, allow: refusedRequest },
);

journey(
  'without a copy of the index, the database types of the registry appear once its key is confirmed',
  async ({ page, app }) => {
    registry.state.isDown = true;
    await press(page.getByRole('button', { name: 'New connection' }), { back: true });
    const dialog = page.getByRole('dialog', { name: 'New connection' });
    const problem = dialog.getByRole('alert');
    // The app started while the registry was up, but nobody had confirmed the registry's key.
    await expect.poll(() => problem.textContent()).toMatch(/not confirmed yet|cannot be read/);
    await press(dialog.getByRole('button', { name: 'Try again' }), { back: true });
    await expect.poll(() => problem.textContent()).toContain('cannot be read');
    await expect.poll(() => dialog.getByRole('listitem').allTextContents()).toHaveLength(1);
    await dialog
      .getByText('A driver in a package file needs no registry: trestle plugins install FILE')
      .waitFor();
    registry.state.isDown = false;
    await registry.trust(app);
    await dialog.getByRole('button', { name: /^Weaviate.*Download \d+ kB$/ }).waitFor();
    await problem.waitFor({ state: 'detached' });
  },
  { env, allow: refusedRequest },
);
