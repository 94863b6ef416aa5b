import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findingsInBothThemes as findings } from './axe.ts';
import { choose, press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { type Journey, openTable, sharedJourney } from './journey.ts';
import { openMissions } from './missions.ts';
import { openCluster, type Rest, sharedWeaviateJourney, useWeaviate, uuidOf } from './weaviate-journey.ts';

const weaviate = useWeaviate();
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

async function goToColumn(page: Page, label: string, column: string): Promise<void> {
  const grid = page.getByRole('grid', { name: label });
  for (let presses = 0; presses < 20; presses++) {
    const id = await grid.getAttribute('aria-activedescendant');
    const index = await page.locator(`[id="${id}"]`).getAttribute('aria-colindex');
    const wanted = await gridOf(page, label)
      .header(column)
      .getAttribute('aria-colindex', { timeout: 1000 })
      .catch(() => null);
    if (index === wanted) return;
    await page.keyboard.press('ArrowRight');
  }
  throw new Error(`The arrow keys do not reach ${column}`);
}

/** Opens the editor of the active cell, adds a reference to the row with this title, and sets the value. */
async function editReferences(page: Page, column: string, title: string): Promise<void> {
  await page.keyboard.press('Enter');
  const editor = page.getByRole('dialog', { name: `Value of ${column}` });
  const find = editor.getByRole('textbox', { name: 'Find a row by its title' });
  await tabTo(find);
  await page.keyboard.type(title.toLowerCase());
  await press(editor.getByRole('list', { name: 'Rows found' }).getByRole('button', { name: title }));
  await editor.getByRole('list', { name: 'Targets' }).getByText(title, { exact: true }).waitFor();
  expect(await findings(page)).toEqual([]);
  await press(editor.getByRole('button', { name: 'Set value' }));
  await page.getByText('1 edited').waitFor();
}

sharedJourney(
  'a reference shows the title of its target, is chosen by title, is copied as JSON, and opens its target',
  async ({ page }) => {
    const grid = await openMissions(page);
    const [name] = await grid.texts('name');
    expect(name).not.toBe('Apollo 11');
    await goToColumn(page, 'Rows of Mission', 'buildsOn');
    await editReferences(page, 'buildsOn', 'Apollo 11');
    await expect.poll(() => grid.active()).toContain('Apollo 11');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('1 edited').waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+r');
    await expect.poll(() => grid.active()).toContain('Apollo 11');

    await grid.focus();
    await page.keyboard.press('ControlOrMeta+c');
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^\[(\{"beacon":"weaviate:\/\/localhost\/Mission\/[0-9a-f-]{36}"\},?)+\]$/);

    await page.keyboard.press('Shift+F10');
    await choose(page.getByRole('menuitem', { name: 'Open Apollo 11' }));
    await page.getByText('1–1 of 1').waitFor();
    await grid.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => grid.texts('name')).toEqual(['Apollo 11']);
  },
  clipboard,
);

sharedJourney(
  'a click on a reference opens its target',
  async ({ page }) => {
    const grid = await openMissions(page);
    await goToColumn(page, 'Rows of Mission', 'buildsOn');
    const link = page.locator('[data-reference]').first();
    const title = await link.textContent();
    await link.click();
    await page.getByText('1–1 of 1').waitFor();
    await grid.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => grid.texts('name')).toEqual([title]);
  },
  { allow: /The mouse was used/ },
);

async function seedVisits(rest: Rest): Promise<void> {
  await rest('POST', '/schema', {
    class: 'Visits',
    vectorizer: 'none',
    properties: [
      { name: 'title', dataType: ['text'] },
      { name: 'of', dataType: ['Missions'] },
    ],
  });
  const beacon = `weaviate://localhost/Missions/${uuidOf(2)}`;
  const properties = { title: 'A visit', of: [{ beacon }] };
  await rest('POST', '/objects', { class: 'Visits', id: uuidOf(50), properties });
}

sharedWeaviateJourney(
  'on a real server, a reference is added by title, and JSON replaces all references',
  async (at: Journey) => {
    const { page } = at;
    await seedVisits(weaviate.rest);
    await openCluster(at, weaviate.port);
    await openTable(page, 'Visits');
    const grid = gridOf(page, 'Rows of Visits');
    await expect.poll(() => grid.texts('of')).toEqual(['Hubble']);
    await grid.focus();
    await goToColumn(page, 'Rows of Visits', 'of');
    await editReferences(page, 'of', 'Violin');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('1 edited').waitFor({ state: 'detached' });
    const beacons = async () =>
      (
        (await weaviate.rest('GET', `/objects/Visits/${uuidOf(50)}`)).properties.of as { beacon: string }[]
      ).map(({ beacon }) => beacon.split('/').at(-1));
    expect(await beacons()).toEqual([uuidOf(2), uuidOf(3)]);

    await grid.focus();
    await page.keyboard.press('Enter');
    const editor = page.getByRole('dialog', { name: 'Value of of' });
    await tabTo(editor.getByRole('textbox', { name: 'of', exact: true }));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(`["weaviate://localhost/Missions/${uuidOf(0)}"]`);
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('1 edited').waitFor({ state: 'detached' });
    expect(await beacons()).toEqual([uuidOf(0)]);
    await expect.poll(() => grid.texts('of')).toEqual(['Apollo 11']);
  },
);
