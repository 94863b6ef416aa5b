import { expect } from 'vitest';
import { choose, press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { openTable, refusedRequest } from './journey.ts';
import {
  apiKey,
  collection,
  focusFirstCollection,
  missions,
  openCluster,
  sharedWeaviateJourney,
  useWeaviate,
  uuidOf,
  weaviateJourney,
} from './weaviate-journey.ts';

const weaviate = useWeaviate();
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

weaviateJourney(
  'the user connects to Weaviate with a pasted address and an API key',
  async ({ page }) => {
    await press(page.getByRole('button', { name: 'New connection' }), { back: true });
    const dialog = page.getByRole('dialog', { name: 'New connection' });
    await press(dialog.getByRole('button', { name: /^Weaviate/ }));
    await press(dialog.getByRole('button', { name: 'Download' }));
    const host = dialog.getByRole('textbox', { name: 'Host' });
    const paste = async (text: string) => {
      await page.evaluate((given) => navigator.clipboard.writeText(given), text);
      await tabTo(host);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press('ControlOrMeta+v');
    };

    await paste('https://my-cluster.weaviate.cloud');
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Port' }).inputValue()).toBe('443');
    await expect
      .poll(() => dialog.getByRole('combobox', { name: 'SSL Mode' }).textContent())
      .toContain('Required');
    await press(dialog.getByRole('button', { name: 'Use these' }));
    const key = dialog.getByLabel(/^API Key/);
    await expect.poll(() => key.evaluate((element) => element === document.activeElement)).toBe(true);
    await expect.poll(() => dialog.getByRole('button', { name: 'Use these' }).count()).toBe(0);

    await paste(`http://127.0.0.1:${weaviate.port}`);
    await expect.poll(() => host.inputValue()).toBe('127.0.0.1');
    await expect
      .poll(() => dialog.getByRole('textbox', { name: 'Port' }).inputValue())
      .toBe(String(weaviate.port));
    const outcome = dialog.getByRole('alert').or(dialog.getByRole('status')).last();
    await tabTo(key);
    await page.keyboard.type('wrong');
    await press(dialog.getByRole('button', { name: 'Test connection' }));
    await expect.poll(() => outcome.textContent()).toMatch(/^Authentication failed: /);
    await tabTo(key);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(apiKey);
    await press(dialog.getByRole('button', { name: 'Test connection' }));
    await expect.poll(() => outcome.textContent()).toMatch(/^Connected to Weaviate 1\.39\.0/);

    await press(dialog.getByRole('button', { name: 'Save & open' }));
    await collection(page, 'Missions').waitFor();
    await openTable(page, 'Missions');
    await expect
      .poll(() => gridOf(page, 'Rows of Missions').texts('title'))
      .toEqual(missions.map(({ title }) => title));
    expect(await page.content()).not.toContain(apiKey);
  },
  clipboard,
);

sharedWeaviateJourney('one save edits, adds and deletes objects', async (journey) => {
  const { page } = journey;
  const { rest } = weaviate;
  for (const id of [uuidOf(100), uuidOf(101)]) {
    await rest('POST', '/objects', {
      class: 'Missions',
      id,
      properties: { title: `To change ${id.at(-1)}` },
    });
  }
  await openCluster(journey, weaviate.port);
  await openTable(page, 'Missions');
  const grid = gridOf(page, 'Rows of Missions');
  await grid.focus();
  const before = await rest('GET', `/objects/Missions/${uuidOf(0)}?include=vector`);

  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('1970');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('Delete');
  await page.getByText('1 edited').waitFor();
  await press(page.getByRole('button', { name: 'Preview' }));
  const statements = page.getByRole('dialog').getByRole('list', { name: 'Statements' });
  await expect.poll(() => statements.textContent()).toContain(`DELETE /v1/objects/Missions/${uuidOf(101)}`);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await grid.focus();
  await page.keyboard.press('ControlOrMeta+i');
  await expect.poll(grid.rowHeaders).toContain('New row');
  await page.keyboard.press('ControlOrMeta+ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('Sputnik');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('1 edited').waitFor({ state: 'detached' });

  const after = await rest('GET', `/objects/Missions/${uuidOf(0)}?include=vector`);
  expect(after.properties).toEqual({ ...before.properties, year: 1970 });
  await expect(rest('GET', `/objects/Missions/${uuidOf(101)}`)).rejects.toThrow('404');
  const { objects } = await rest('GET', '/objects?class=Missions&limit=100');
  const added = objects.filter((object) => object.properties.title === 'Sputnik');
  expect(added).toHaveLength(1);
  for (const id of [uuidOf(100), added[0]!.id]) await rest('DELETE', `/objects/Missions/${id}`);
  await rest('PATCH', `/objects/Missions/${uuidOf(0)}?class=Missions`, {
    class: 'Missions',
    properties: { year: 1969 },
  });
});

sharedWeaviateJourney(
  'a filter that cannot run shows the reason, and a corrected filter runs',
  async (journey) => {
    const { page } = journey;
    await openCluster(journey, weaviate.port);
    await openTable(page, 'Missions');
    const grid = gridOf(page, 'Rows of Missions');
    await page.keyboard.press('ControlOrMeta+Shift+f');
    await tabTo(page.getByLabel('Column of filter 1'), { back: true });
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('note');
    await choose(page.getByRole('option', { name: 'note' }));
    await tabTo(page.getByLabel('Operator of filter 1'));
    await page.keyboard.press('Enter');
    const regex = page.getByRole('option', { name: 'REGEX' });
    await page.getByRole('option', { name: 'equals', exact: true }).waitFor();
    expect(await regex.count()).toBe(0);
    await choose(page.getByRole('option', { name: 'Not possible here' }));
    await expect.poll(() => regex.getAttribute('aria-disabled')).toBe('true');
    await expect.poll(() => regex.textContent()).toContain('Weaviate has no regular expressions');
    await page.keyboard.press('Home');
    await choose(page.getByRole('option', { name: 'equals', exact: true }));
    await page.getByText('matches whole words in any order, ignores case').waitFor();
    await tabTo(page.getByLabel('Value of filter 1'));
    await page.keyboard.type('the');
    await page.keyboard.press('Enter');
    const row = page.getByRole('listitem').filter({ has: page.getByLabel('Value of filter 1') });
    await row.getByRole('alert').filter({ hasText: 'stop words' }).waitFor();
    await expect.poll(() => grid.locator.count()).toBe(0);

    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Orbit');
    await page.keyboard.press('Enter');
    await page.getByText('1–1 of 1').waitFor();
    await expect.poll(() => grid.texts('title')).toEqual(['Hubble']);
  },
  { allow: refusedRequest },
);

sharedWeaviateJourney('one tenant is read at a time, and a cold tenant can be activated', async (journey) => {
  const { page } = journey;
  await openCluster(journey, weaviate.port);
  await focusFirstCollection(page);
  await page.keyboard.type('Notes');
  await page.keyboard.press('Enter');
  const list = page.getByRole('list', { name: 'Tenants' });
  await press(list.getByRole('button', { name: 'acme', exact: true }));
  const grid = gridOf(page, 'Rows of Notes');
  await grid.locator.waitFor();
  await expect.poll(() => grid.texts('title')).toEqual(['Only of acme']);
  await page.reload();
  await grid.locator.waitFor();
  const tenant = page.getByRole('combobox', { name: 'Tenant' });
  await expect.poll(() => tenant.inputValue()).toBe('acme');

  // A cold tenant is marked as cold. The tenant can be read after the user activates it.
  await tabTo(tenant, { back: true });
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('zeta');
  const cold = page.getByRole('option', { name: 'zeta' });
  await expect.poll(() => cold.textContent()).toContain('cold');
  await choose(cold);
  await page.getByText('zeta cannot be read now').waitFor();
  expect(await grid.locator.count()).toBe(0);
  await press(page.getByRole('button', { name: 'Activate' }));
  await page.getByText('Tenant zeta has no rows').waitFor();
  await grid.header('title').waitFor();
  expect(await weaviate.rest('GET', '/schema/Notes/tenants')).toContainEqual({
    name: 'zeta',
    activityStatus: 'HOT',
  });
});
