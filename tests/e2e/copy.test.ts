import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startHttpProxy } from '../faults/http-proxy.ts';
import { findings } from './axe.ts';
import { choose, press, tabTo } from './browser.ts';
import { journey, openSample, refusedRequest } from './journey.ts';
import { collection, openCluster, useWeaviate, weaviateJourney } from './weaviate-journey.ts';

const weaviate = useWeaviate();
const dialog = (page: Page) => page.getByRole('dialog');

async function copyFromMenu(page: Page, entry: ReturnType<Page['getByRole']>): Promise<void> {
  await entry.focus();
  await page.keyboard.press('Shift+F10');
  await choose(page.getByRole('menuitem', { name: 'Copy to…' }));
  await dialog(page).getByLabel('Name').waitFor();
}

async function nameCopy(page: Page, name: string): Promise<void> {
  await tabTo(dialog(page).getByLabel('Name'));
  await page.keyboard.press('Control+A');
  await page.keyboard.type(name);
  await press(dialog(page).getByRole('button', { name: 'Copy', exact: true }));
}

journey('a table is copied under another name, checked, and opened', async ({ page }) => {
  await openSample(page);
  await copyFromMenu(page, page.getByRole('button', { name: 'Table moons' }));
  await expect.poll(() => dialog(page).getByLabel('Name').inputValue()).toBe('moons_copy');
  expect(await findings(page)).toEqual([]);
  await nameCopy(page, 'planets');
  await dialog(page).getByText('This name is taken.').waitFor();
  await nameCopy(page, 'my moons');
  await dialog(page).getByText('The copy is done.').waitFor();
  await dialog(page)
    .getByText(/^Checked: (\d+) rows in the copy; \d+ compared, none differs\.$/)
    .waitFor();
  expect(await findings(page)).toEqual([]);
  await press(dialog(page).getByRole('button', { name: 'Close' }).first());
  await dialog(page).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Table my moons' }).waitFor();
});

weaviateJourney(
  'a copy whose server goes away is continued where it was, and doubles nothing',
  async (at) => {
    const { page } = at;
    const total = 3_000;
    const proxy = await startHttpProxy(weaviate.port);
    try {
      await weaviate.rest('POST', '/schema', {
        class: 'Source',
        vectorIndexType: 'flat',
        vectorizer: 'none',
        properties: [{ name: 'n', dataType: ['int'] }],
      });
      for (let start = 0; start < total; start += 500) {
        const objects = Array.from({ length: 500 }, (_, step) => ({
          class: 'Source',
          properties: { n: start + step },
          vector: [start + step, 1],
        }));
        await weaviate.rest('POST', '/batch/objects', { objects });
      }
      await openCluster(at, proxy.port);
      let batches = 0;
      proxy.decide = ({ method, path }) => {
        if (method === 'POST' && path === '/v1/batch/objects') batches++;
        return batches > 4 ? 'reset' : 'pass';
      };
      await copyFromMenu(page, collection(page, 'Source'));
      await nameCopy(page, 'Target');
      await dialog(page).getByText('The copy stopped.').waitFor();
      proxy.decide = () => 'pass';

      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      const strip = page.getByRole('list', { name: 'Copies' });
      await expect.poll(() => strip.textContent()).toContain('Source → Target');
      await press(strip.getByRole('button', { name: 'Details' }));
      const asked = proxy.requests.length;
      await press(dialog(page).getByRole('button', { name: 'Continue' }));
      await dialog(page).getByText('The copy is done.').waitFor();
      const again = proxy.requests.slice(asked).filter(({ path }) => path.startsWith('/v1/objects?'));
      expect(again[0]?.path).toMatch(/after=[0-9a-f]{8}-/);
      const list = async (name: string) => {
        const { objects } = await weaviate.rest('GET', `/objects?class=${name}&limit=10000&include=vector`);
        return objects.map(({ id, properties, vector }) => ({ id, properties, vector }));
      };
      expect(await list('Target')).toEqual(await list('Source'));
      await press(dialog(page).getByRole('button', { name: 'Close' }).first());
      await strip.waitFor({ state: 'detached' });
    } finally {
      await proxy.close();
    }
  },
  { allow: refusedRequest },
);
