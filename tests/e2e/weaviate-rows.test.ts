import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { choose, press } from './browser.ts';
import { gridOf } from './grid.ts';
import { openTable } from './journey.ts';
import { collection, openCluster, sharedWeaviateJourney, useWeaviate, uuidOf } from './weaviate-journey.ts';

const weaviate = useWeaviate();
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };
const unsaved = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' });

const properties = [
  { name: 'title', dataType: ['text'] },
  { name: 'tags', dataType: ['text[]'] },
  { name: 'year', dataType: ['int'] },
  { name: 'seen', dataType: ['date'] },
];

async function fill(name: string, count: number): Promise<void> {
  await weaviate.rest('POST', '/schema', { class: name, vectorizer: 'none', properties });
  for (let row = 0; row < count; row++) {
    await weaviate.rest('POST', '/objects', {
      class: name,
      id: uuidOf(row),
      properties: { title: `Row ${row}`, tags: ['old'], year: 1900 + row },
    });
  }
}

const stored = async (name: string) => {
  const { objects } = await weaviate.rest('GET', `/objects?class=${name}&limit=100`);
  return objects.map(({ properties }) => properties);
};

const put = (page: Page, text: string) =>
  page.evaluate((given) => navigator.clipboard.writeText(given), text);

sharedWeaviateJourney(
  'a pasted range changes and adds objects, and is saved after the user corrects a cell that does not fit',
  async (at) => {
    const { page } = at;
    await fill('Pasted', 2);
    await openCluster(at, weaviate.port);
    await openTable(page, 'Pasted');
    const grid = gridOf(page, 'Rows of Pasted');
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ArrowRight');
    const lines = [
      'One\t["a","b"]\tsoon\t2026-07-28',
      'Two\t[]\t2002\t',
      'Three\t["c"]\t2003\t1969-07-16T14:32:00Z',
    ];
    await put(page, `${lines.join('\n')}\n`);
    await page.keyboard.press('ControlOrMeta+v');
    await page.getByText('1 cell does not fit. Fix it before you save').first().waitFor();
    await unsaved(page).getByText('2 edited, 1 new').waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('A cell does not fit its column').first().waitFor();
    expect((await stored('Pasted')).map(({ title }) => title)).toEqual(['Row 0', 'Row 1']);
    // The cursor is at the first cell with an error.
    await page.keyboard.type('2001');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('[aria-invalid=true]').count()).toBe(0);
    await page.keyboard.press('ControlOrMeta+s');
    await unsaved(page).waitFor({ state: 'detached' });
    const rows = await stored('Pasted');
    expect(rows).toHaveLength(3);
    expect(rows).toEqual(
      expect.arrayContaining([
        { title: 'One', tags: ['a', 'b'], year: 2001, seen: '2026-07-28T00:00:00Z' },
        expect.objectContaining({ title: 'Two', year: 2002 }),
        { title: 'Three', tags: ['c'], year: 2003, seen: '1969-07-16T14:32:00Z' },
      ]),
    );
  },
  clipboard,
);

sharedWeaviateJourney('columns sorted, pinned and hidden by menu stay so after a reload', async (at) => {
  const { page } = at;
  await fill('Arranged', 3);
  await openCluster(at, weaviate.port);
  await openTable(page, 'Arranged');
  const grid = gridOf(page, 'Rows of Arranged');
  const menu = async (entry: string) => {
    await grid.focused();
    await page.keyboard.press('Alt+ArrowDown');
    await choose(page.getByRole('menuitem', { name: entry, exact: true }));
  };
  const headers = () =>
    page
      .locator('[data-header]')
      .evaluateAll((cells) =>
        cells
          .sort((a, b) => Number(a.getAttribute('data-header')) - Number(b.getAttribute('data-header')))
          .map((cell) => cell.getAttribute('aria-label')?.split(',')[0]),
      );
  await expect.poll(() => grid.texts('title')).toEqual(['Row 0', 'Row 1', 'Row 2']);
  await grid.focus();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  await menu('Sort descending');
  await expect.poll(() => grid.texts('title')).toEqual(['Row 2', 'Row 1', 'Row 0']);
  // The title is pinned from the start.
  await menu('Unpin column');
  await grid.focused();
  await page.keyboard.press('ArrowRight');
  await menu('Pin column');
  await expect.poll(async () => (await headers()).slice(0, 3)).toEqual(['uuid', 'tags', 'title']);
  await grid.focused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await menu('Hide column');
  await expect.poll(async () => (await headers()).slice(0, 4)).toEqual(['uuid', 'tags', 'title', 'seen']);
  await page.reload();
  await grid.locator.waitFor();
  await expect.poll(async () => (await headers()).slice(0, 4)).toEqual(['uuid', 'tags', 'title', 'seen']);
  await expect.poll(() => grid.texts('title')).toEqual(['Row 2', 'Row 1', 'Row 0']);
});

/** Tenant names that the server accepts and that a program may misunderstand. */
const odd = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'null',
  '-1',
  '--help',
  'Acme',
  'acme',
  'x'.repeat(64),
];

/** Short enough that a cell shows the whole title. */
const titleOf = (tenant: string) => `Of ${tenant.slice(0, 14)}`;

sharedWeaviateJourney(
  'tenants with odd names each have their own rows, and an edit is saved in its own tenant',
  async (at) => {
    const { page } = at;
    await weaviate.rest('POST', '/schema', {
      class: 'Odd',
      vectorizer: 'none',
      multiTenancyConfig: { enabled: true },
      properties: [{ name: 'title', dataType: ['text'] }],
    });
    await weaviate.rest(
      'POST',
      '/schema/Odd/tenants',
      odd.map((name) => ({ name })),
    );
    for (const tenant of odd) {
      await weaviate.rest('POST', '/objects', {
        class: 'Odd',
        tenant,
        properties: { title: titleOf(tenant) },
      });
    }
    await openCluster(at, weaviate.port);
    await collection(page, 'Odd').focus();
    await page.keyboard.press('Enter');
    const list = page.getByRole('list', { name: 'Tenants' });
    await press(list.getByRole('button', { name: odd[0]!, exact: true }));
    const grid = gridOf(page, 'Rows of Odd');
    const tenant = page.getByRole('combobox', { name: 'Tenant' });
    for (const name of odd) {
      if ((await tenant.inputValue()) !== name) {
        await tenant.focus();
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.type(name);
        const option = page.getByRole('option', { name, exact: true });
        await choose(option);
      }
      await expect.poll(() => grid.texts('title')).toEqual([titleOf(name)]);
      await grid.focus();
      await page.keyboard.press('ControlOrMeta+Home');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.type(`Now ${titleOf(name)}`);
      await page.keyboard.press('Enter');
      await unsaved(page).getByText('1 edited').waitFor();
      await page.keyboard.press('ControlOrMeta+s');
      await unsaved(page).waitFor({ state: 'detached' });
    }
    for (const name of odd) {
      const { objects } = await weaviate.rest('GET', `/objects?class=Odd&tenant=${name}`);
      expect(objects.map(({ properties }) => properties.title)).toEqual([`Now ${titleOf(name)}`]);
    }
  },
);
