import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startHttpProxy } from '../faults/http-proxy.ts';
import { findings } from './axe.ts';
import { choose, press, tabTo } from './browser.ts';
import { openSample, refusedRequest, sharedJourney } from './journey.ts';
import { openOwnTable } from './own-table.ts';
import {
  collection,
  openCluster,
  sharedWeaviateJourney,
  useWeaviate,
  weaviateJourney,
} from './weaviate-journey.ts';

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

sharedJourney(
  'a copy of a table gets another name, is checked, and is listed in the sidebar and among the jobs',
  async ({ page }) => {
    await openSample(page);
    await copyFromMenu(page, page.getByRole('button', { name: 'Table moons' }));
    await expect.poll(() => dialog(page).getByLabel('Name').inputValue()).toBe('moons_copy');
    expect(await findings(page)).toEqual([]);
    await nameCopy(page, 'planets ');
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
    await press(page.getByRole('button', { name: 'Jobs', exact: true }));
    const job = page.getByRole('list', { name: 'Jobs' }).getByRole('listitem');
    await expect.poll(() => job.textContent()).toMatch(/Copy moons to my moons.*The copy is done/);
    expect(await findings(page)).toEqual([]);
    await press(job.getByRole('button', { name: 'Dismiss: Copy moons to my moons' }));
    await dialog(page).getByText('Nothing is running').waitFor();
    expect(await findings(page)).toEqual([]);
  },
);

sharedJourney('the reason of a refused copy stays when another copy begins and ends', async (at) => {
  const { page, app } = at;
  await openOwnTable(at, 'loose', (db) =>
    db.exec('CREATE TABLE loose (a); CREATE TABLE kept (id INTEGER PRIMARY KEY)'),
  );
  await copyFromMenu(page, page.getByRole('button', { name: 'Table loose' }));
  await nameCopy(page, 'loose2');
  const reason = dialog(page).getByText('The rows of loose have no key that a copy could keep');
  await reason.waitFor();
  const connections = (await app.ask('connections.list')) as { id: string; name: string }[];
  const connectionId = connections.find(({ name }) => name === 'Own')!.id;
  const to = { connectionId, table: 'kept2' };
  await app.tell('copies.begin', { from: { connectionId, table: 'kept' }, to, goOn: false });
  await expect.poll(() => jobs(app)).toContain('The copy is done');
  expect(await reason.count()).toBe(1);
});

/** The outcomes of the app's jobs, as the command line gets them. */
const jobs = async (app: { ask(operation: string): Promise<unknown> }) =>
  ((await app.ask('jobs.list')) as { outcome: { words: string } | null }[]).map(
    ({ outcome }) => outcome?.words,
  );

/** Creates a collection of `total` objects with vectors. */
async function fillSource(name: string, total: number): Promise<void> {
  await weaviate.rest('POST', '/schema', {
    class: name,
    vectorIndexType: 'flat',
    vectorizer: 'none',
    properties: [{ name: 'n', dataType: ['int'] }],
  });
  for (let start = 0; start < total; start += 500) {
    const objects = Array.from({ length: 500 }, (_, step) => ({
      class: name,
      properties: { n: start + step },
      vector: [start + step, 1],
    }));
    await weaviate.rest('POST', '/batch/objects', { objects });
  }
}

const objectsOf = async (name: string) => {
  const { objects } = await weaviate.rest('GET', `/objects?class=${name}&limit=10000&include=vector`);
  return objects.map(({ id, properties, vector }) => ({ id, properties, vector }));
};

weaviateJourney(
  'a copy can continue after a kill and restart of the app, and duplicates nothing',
  async (at) => {
    const { app, page } = at;
    const proxy = await startHttpProxy(weaviate.port);
    try {
      await fillSource('Cut', 4_000);
      await openCluster(at, proxy.port);
      let batches = 0;
      const isBatch = ({ method, path }: { method: string; path: string }) =>
        method === 'POST' && path === '/v1/batch/objects';
      // Batches 1 to 11 are stored. Batch 12 is stored without an answer. From batch 13 on, every request hangs.
      proxy.decide = (request) => {
        if (!isBatch(request)) return batches > 12 ? 'hang' : 'pass';
        return ++batches > 12 ? 'hang' : batches === 12 ? 'hangAfter' : 'pass';
      };
      await copyFromMenu(page, collection(page, 'Cut'));
      await nameCopy(page, 'Resumed');
      await expect.poll(() => batches).toBeGreaterThan(12);
      await expect.poll(async () => (await objectsOf('Resumed')).length).toBeGreaterThan(500);
      await page.goto('about:blank');
      await app.kill();
      expect((await objectsOf('Resumed')).length).toBeLessThan(4_000);
      proxy.decide = () => 'pass';
      await app.start();
      await page.goto(await app.createLink());
      await press(page.getByRole('button', { name: 'Jobs, 1 not done' }));
      const list = page.getByRole('list', { name: 'Jobs' });
      await expect.poll(() => list.textContent()).toContain('Copy Cut to Resumed');
      expect(await findings(page)).toEqual([]);
      await press(list.getByRole('button', { name: 'Continue…' }));
      await press(dialog(page).getByRole('button', { name: 'Continue' }));
      await dialog(page).getByText('The copy is done.').waitFor();
      await dialog(page).getByText('Checked: 4,000 rows in the copy').waitFor();
      expect(await objectsOf('Resumed')).toEqual(await objectsOf('Cut'));
    } finally {
      await proxy.close();
    }
  },
  { allow: /Failed to (load resource|fetch)|ERR_/ },
);

sharedWeaviateJourney(
  'a copy whose server goes away can continue where it stopped, and duplicates nothing',
  async (at) => {
    const { page } = at;
    const total = 3_000;
    const proxy = await startHttpProxy(weaviate.port);
    try {
      await fillSource('Source', total);
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
      await press(page.getByRole('button', { name: 'Jobs, 1 not done' }));
      const list = page.getByRole('list', { name: 'Jobs' });
      await expect.poll(() => list.textContent()).toContain('Copy Source to Target');
      await press(list.getByRole('button', { name: 'Continue…' }));
      const asked = proxy.requests.length;
      await press(dialog(page).getByRole('button', { name: 'Continue' }));
      await dialog(page).getByText('The copy is done.').waitFor();
      const again = proxy.requests.slice(asked).filter(({ path }) => path.startsWith('/v1/objects?'));
      expect(again[0]?.path).toMatch(/after=[0-9a-f]{8}-/);
      expect(await objectsOf('Target')).toEqual(await objectsOf('Source'));
      await press(dialog(page).getByRole('button', { name: 'Close' }).first());
      await page.getByRole('button', { name: 'Jobs', exact: true }).waitFor();
    } finally {
      await proxy.close();
    }
  },
  { allow: refusedRequest },
);
