import { expect } from 'vitest';
import { findingsInBothThemes as findings } from './axe.ts';
import { choose, press } from './browser.ts';
import { gridOf } from './grid.ts';
import { openSample, openTable, sharedJourney } from './journey.ts';

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

sharedJourney(
  'the structure of a collection can be read and copied, and a key shows the rows again',
  async ({ page }) => {
    await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
    await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
    await openTable(page, 'Mission');
    await press(page.getByRole('button', { name: 'Structure', exact: true }), { back: true });
    const view = page.getByRole('region', { name: 'Structure of Mission' });
    const section = (name: string) => view.getByRole('region', { name, exact: true });
    await expect
      .poll(() =>
        section('Properties')
          .getByRole('row', { name: /^description/ })
          .textContent(),
      )
      .toContain('Words, case ignored (word)');
    const flags = section('Properties')
      .getByRole('row', { name: /^crewSize/ })
      .getByRole('img');
    expect(await flags.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).toEqual([
      'Yes',
      'No',
      'No',
    ]);
    await expect.poll(() => section('Indexing').textContent()).toContain('indexNullState');
    expect(await section('Vector').textContent()).toMatch(/text2vec-transformers.*Cosine.*HNSW/);
    for (const name of ['Replication', 'Sharding', 'Multi-tenancy']) await section(name).waitFor();
    expect(await page.getByRole('grid').count()).toBe(0);
    expect(await view.getByRole('textbox').count()).toBe(0);
    expect(await findings(page)).toEqual([]);

    await press(view.getByRole('button', { name: 'Copy raw definition' }));
    await view.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(JSON.parse(copied)).toMatchObject({ class: 'Mission' });
    await page.reload();
    await view.waitFor();
    await page.keyboard.press('Alt+s');
    await gridOf(page, 'Rows of Mission').locator.waitFor();
  },
  clipboard,
);

sharedJourney("a table's structure shows its columns, keys, indexes and statement", async ({ page }) => {
  await openSample(page);
  await openTable(page, 'moons');
  await page.keyboard.press('Alt+s');
  const view = page.getByRole('region', { name: 'Structure of moons' });
  const section = (name: string) => view.getByRole('region', { name, exact: true });
  await expect
    .poll(() => section('Columns').getByRole('row', { name: /^id/ }).textContent())
    .toContain('primary key');
  await expect.poll(() => section('Foreign keys').textContent()).toContain('planets (id)');
  expect(await section('Statement').textContent()).toContain('CREATE TABLE');
  await section('Indexes').waitFor();
});

sharedJourney('a table with tenants first shows only its tenants', async ({ page }) => {
  await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
  const first = page.getByRole('button', { name: 'Collection Invention', exact: true });
  await first.waitFor();
  await expect.poll(() => first.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type('MuseumNote');
  await page.keyboard.press('Enter');
  const list = page.getByRole('list', { name: 'Tenants' });
  await list.getByRole('button', { name: 'louvre' }).waitFor();
  expect(await list.getByRole('listitem').count()).toBe(3);
  for (const name of ['Filter', 'Add row', 'Export…', 'Row inspector', 'Next page'])
    expect(await page.getByRole('button', { name }).count(), name).toBe(0);
  expect(await page.getByRole('search').count()).toBe(0);
  expect(await findings(page)).toEqual([]);
  await press(list.getByRole('button', { name: 'louvre' }));
  const grid = gridOf(page, 'Rows of MuseumNote');
  await grid.locator.waitFor();
  await expect.poll(() => page.getByRole('combobox', { name: 'Tenant' }).inputValue()).toBe('louvre');

  await press(page.getByRole('button', { name: 'Structure', exact: true }), { back: true });
  const tenants = page.getByRole('region', { name: 'Tenants', exact: true });
  await expect.poll(() => tenants.getByRole('row').count()).toBe(4);
  await expect.poll(() => tenants.textContent()).toContain('moma');
});

sharedJourney('a table without rows shows its columns', async ({ page }) => {
  await openSample(page);
  await page.keyboard.press('Alt+n');
  await page.getByRole('textbox', { name: 'Query 1' }).waitFor();
  await page.keyboard.insertText('CREATE TABLE empty_one (id INTEGER PRIMARY KEY, title TEXT)');
  await page.keyboard.press('ControlOrMeta+Enter');
  const entry = page.getByRole('button', { name: 'Table empty_one' });
  await entry.waitFor();
  await page.keyboard.press('ControlOrMeta+p');
  await page.getByPlaceholder('Table, connection or command').fill('empty_one');
  await choose(page.getByRole('option', { name: 'empty_one Sample: SQLite' }));
  const grid = gridOf(page, 'Rows of empty_one');
  await grid.header('title').waitFor();
  await page.getByText('empty_one has no rows').waitFor();
  await press(page.getByRole('button', { name: 'Add a row' }));
  await expect.poll(grid.rowHeaders).toEqual(['New row']);
  await expect.poll(() => grid.texts('title')).toEqual(['NULL']);
  await expect.poll(async () => (await grid.texts('id'))[0]).toMatch(/^the next free/);
});
