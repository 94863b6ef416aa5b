import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findingsInBothThemes as findings } from './axe.ts';
import { choose, press } from './browser.ts';
import { gridOf } from './grid.ts';
import { openTable, sharedJourney } from './journey.ts';
import { openMissions } from './missions.ts';
import { openCluster, useWeaviate, uuidOf, weaviateJourney } from './weaviate-journey.ts';

const weaviate = useWeaviate();
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };
const options = { ...clipboard, timezoneId: 'Europe/Berlin' };

const properties = [
  { name: 'done', dataType: ['boolean'] },
  { name: 'at', dataType: ['date'] },
  { name: 'count', dataType: ['int'] },
  { name: 'tags', dataType: ['text[]'] },
];
const first = { done: true, at: '1969-07-16T13:32:00Z', count: 12345, tags: ['a', 'b'] };

async function seedTyped(): Promise<void> {
  await weaviate.rest('POST', '/schema', { class: 'Typed', vectorizer: 'none', properties });
  const object = (index: number, values: object, vector: number[]) =>
    weaviate.rest('POST', '/objects', { class: 'Typed', id: uuidOf(index), properties: values, vector });
  await object(70, first, [0.5, -0.25, 0.125]);
  await object(71, { done: false }, [0.1, 0.2, 0.3]);
}

const copied = async (page: Page) => {
  await page.keyboard.press('ControlOrMeta+c');
  await page.getByText('Copied').first().waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
};

weaviateJourney(
  'the look of a cell depends on its type, and a copy has the exact values',
  async (at) => {
    const { page } = at;
    await seedTyped();
    await openCluster(at, weaviate.port);
    await openTable(page, 'Typed');
    const grid = gridOf(page, 'Rows of Typed');
    await expect.poll(() => grid.drawn('uuid')).toEqual(['33333333…', '33333333…']);
    expect(await grid.texts('uuid')).toEqual([uuidOf(70), uuidOf(71)]);
    expect(await grid.texts('done')).toEqual(['true', 'false']);
    expect(await grid.drawn('done')).toEqual(['', '']);
    expect(await grid.drawn('at')).toEqual(['16 Jul 1969, 14:32', 'NULL']);
    expect(await grid.texts('at')).toEqual([first.at, 'NULL']);
    expect(await grid.drawn('tags')).toEqual(['["a", "b"]', 'NULL']);
    await expect.poll(() => grid.drawn('vector')).toEqual(['[0.5, -0.25, 0.125]3', '[0.1, 0.2, 0.3]3']);
    expect(await page.locator('[role=gridcell] svg path').first().getAttribute('d')).toMatch(/^M/);
    expect(await findings(page)).toEqual([]);

    await grid.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    // On focus, the whole value covers the short one.
    const frame = page.locator('[data-grid-frame]');
    await frame.getByText(uuidOf(70), { exact: true }).waitFor();
    expect(await copied(page)).toBe(uuidOf(70));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await frame.getByText(first.at, { exact: true }).waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    expect(await copied(page)).toBe(
      [uuidOf(70), 'true', first.at, '12345', '["a","b"]', '[0.5,-0.25,0.125]'].join('\t'),
    );
  },
  options,
);

weaviateJourney(
  'an editor begins with the exact date, and a filter by it finds the row',
  async (at) => {
    const { page } = at;
    await openCluster(at, weaviate.port);
    await openTable(page, 'Typed');
    const grid = gridOf(page, 'Rows of Typed');
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F2');
    await expect.poll(() => page.getByRole('textbox', { name: 'at' }).inputValue()).toBe(first.at);
    await page.keyboard.press('Escape');
    await grid.focused();
    await page.keyboard.press('Shift+F10');
    await choose(page.getByRole('menuitem', { name: 'Filter by this value' }));
    await expect.poll(() => grid.texts('at')).toEqual([first.at]);
  },
  options,
);

sharedJourney(
  'a distance is shown with three decimals, and copied with every digit',
  async ({ page }) => {
    await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
    await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
    await openTable(page, 'Mission');
    const grid = gridOf(page, 'Rows of Mission');
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('spacecraft');
    await page.keyboard.press('Enter');
    await expect.poll(() => grid.header('distance').count()).toBe(1);
    const drawn = await grid.drawn('distance');
    const exact = await grid.texts('distance');
    expect(drawn.every((text) => /^\d\.\d{3}$/.test(text))).toBe(true);
    expect(exact.map((text) => Number(text).toFixed(3))).toEqual(drawn);
    expect(exact.some((text) => text.length > 5)).toBe(true);
    expect(await findings(page)).toEqual([]);
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    // The uuid and the title come first.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await copied(page)).toBe(exact[0]);
  },
  clipboard,
);

sharedJourney(
  'the mouse over a reference shows the row that the reference points to',
  async ({ page }) => {
    const grid = await openMissions(page);
    await page.keyboard.press('End');
    const chip = page.locator('[data-reference]').first();
    const title = (await chip.textContent())!;
    await chip.hover();
    const card = page.getByRole('dialog', { name: 'Row of Mission' });
    await card.getByText(title, { exact: true }).waitFor();
    await card.getByText('launched').waitFor();
    expect(await findings(page)).toEqual([]);
    await grid.focused();
    await page.mouse.move(5, 5);
    await card.waitFor({ state: 'detached' });
  },
  clipboard,
);
