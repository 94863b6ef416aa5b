import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findingsInBothThemes as findings } from './axe.ts';
import { tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { openTable, sharedJourney } from './journey.ts';
import { openMissions } from './missions.ts';
import { openCluster, sharedWeaviateJourney, useWeaviate, uuidOf } from './weaviate-journey.ts';

const weaviate = useWeaviate();
const first = { done: true, at: '1969-07-16T13:32:00Z', tags: ['a', 'b'], sizes: [1, 2] };

async function seed(): Promise<void> {
  const property = (name: string, type: string) => ({ name, dataType: [type] });
  await weaviate.rest('POST', '/schema', {
    class: 'Edited',
    vectorizer: 'none',
    properties: [
      property('done', 'boolean'),
      property('at', 'date'),
      property('tags', 'text[]'),
      property('sizes', 'number[]'),
    ],
  });
  await weaviate.rest('POST', '/objects', { class: 'Edited', id: uuidOf(80), properties: first });
}

async function right(page: Page, times: number): Promise<void> {
  for (let step = 0; step < times; step++) await page.keyboard.press('ArrowRight');
}

sharedWeaviateJourney(
  'by keyboard: edits of a boolean, a date, and lists of texts and numbers reach the server',
  async (at) => {
    const { page } = at;
    await seed();
    await openCluster(at, weaviate.port);
    await openTable(page, 'Edited');
    const grid = gridOf(page, 'Rows of Edited');
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await right(page, 1);
    await page.keyboard.press('Enter');
    await expect.poll(() => grid.texts('done')).toEqual(['false']);
    await page.keyboard.press('Space');
    await expect.poll(() => grid.texts('done')).toEqual(['true']);
    await page.keyboard.press('Enter');
    await expect.poll(() => grid.texts('done')).toEqual(['false']);

    await right(page, 1);
    await page.keyboard.press('Enter');
    const date = page.getByRole('dialog', { name: 'Value of at' });
    const text = date.getByRole('textbox', { name: 'at', exact: true });
    await tabTo(date.getByRole('button', { name: '16 July 1969' }));
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('PageDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => text.inputValue()).toBe('1969-08-17T13:32:00Z');
    await tabTo(text, { back: true });
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('1969-02-30');
    await date.getByText(/^Expected a date such as/).waitFor();
    await page.keyboard.press('Enter');
    expect(await text.inputValue()).toBe('1969-02-30');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('1969-07-20T20:17:40Z');
    await page.keyboard.press('Enter');
    await date.waitFor({ state: 'detached' });
    await expect.poll(() => grid.texts('at')).toEqual(['1969-07-20T20:17:40Z']);

    await grid.focused();
    await right(page, 1);
    await page.keyboard.press('Enter');
    const tags = page.getByRole('dialog', { name: 'Value of tags' });
    await tags.getByRole('textbox', { name: 'Add to tags' }).waitFor();
    await page.keyboard.type('c');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Delete');
    await expect.poll(() => tags.getByRole('listitem').allTextContents()).toEqual(['c', 'b']);
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(() => grid.texts('tags')).toEqual(['["c", "b"]']);

    await grid.focused();
    await right(page, 1);
    await page.keyboard.press('Enter');
    const sizes = page.getByRole('dialog', { name: 'Value of sizes' });
    await sizes.getByRole('textbox', { name: 'Add to sizes' }).waitFor();
    await page.keyboard.type('three');
    await page.keyboard.press('Enter');
    await sizes.getByText('Expected a number such as 3.14').waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    expect(await sizes.getByRole('button', { name: 'Set value' }).isDisabled()).toBe(true);
    expect(await sizes.getByRole('textbox', { name: 'Add to sizes' }).inputValue()).toBe('three');
    await page.keyboard.press('ControlOrMeta+a');
    // An entry that was typed but not added yet is part of the value.
    await page.keyboard.type('3.5');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(() => grid.texts('sizes')).toEqual(['[1, 2, 3.5]']);

    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('1 edited').waitFor({ state: 'detached' });
    const { properties } = await weaviate.rest('GET', `/objects/Edited/${uuidOf(80)}`);
    expect(properties).toEqual({
      done: false,
      at: '1969-07-20T20:17:40Z',
      tags: ['c', 'b'],
      sizes: [1, 2, 3.5],
    });
  },
);

sharedJourney(
  'an object is edited as JSON, and invalid JSON stays in the editor with a message',
  async ({ page }) => {
    const grid = await openMissions(page);
    await right(page, 5);
    await page.keyboard.press('Enter');
    const editor = page.getByRole('dialog', { name: 'Value of launchSite' });
    const text = editor.getByRole('textbox', { name: 'launchSite' });
    await text.locator('.cm-line').first().waitFor();
    await expect.poll(() => text.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{"latitude": 1.5, "longitude": }');
    await editor.getByText(/^Expected JSON/).waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(() => text.textContent()).toBe('{"latitude": 1.5, "longitude": }');
    expect(await findings(page)).toEqual([]);
    // The JSON editor stays open when its text becomes a list.
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('[1, 2');
    await expect.poll(() => text.textContent()).toBe('[1, 2]');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{"latitude": 1.5, "longitude": 2}');
    await page.keyboard.press('ControlOrMeta+Enter');
    await editor.waitFor({ state: 'detached' });
    await expect
      .poll(async () => (await grid.texts('launchSite'))[0])
      .toBe('{"latitude": 1.5, "longitude": 2}');
  },
);

sharedJourney(
  'by mouse: a double click switches a boolean, a day is clicked, an entry is removed',
  async ({ page }) => {
    const grid = await openMissions(page);
    await right(page, 6);
    const [before] = await grid.texts('crewed');
    await page
      .getByRole('gridcell')
      .filter({ has: page.getByRole('img', { name: before! }) })
      .first()
      .dblclick();
    await page.getByText('1 edited').waitFor();
    await expect.poll(async () => (await grid.texts('crewed'))[0]).not.toBe(before);

    await page.keyboard.press('Alt+i');
    const inspector = page.getByRole('complementary', { name: 'Row inspector' });
    await inspector.getByRole('button', { name: 'Edit launched' }).click();
    await inspector.getByRole('button', { name: /^20 / }).click();
    await inspector.getByRole('button', { name: 'Set value' }).click();
    await expect.poll(async () => (await grid.texts('launched'))[0]).toMatch(/^\d{4}-\d\d-20T/);
    await inspector.getByRole('button', { name: 'Edit agencies' }).click();
    await inspector.getByRole('button', { name: /^Remove / }).click();
    await inspector.getByRole('button', { name: 'Set value' }).click();
    await expect.poll(async () => (await grid.texts('agencies'))[0]).toBe('[]');
  },
  { allow: /The mouse was used/ },
);

sharedJourney(
  'a list of numbers in a JSON column is emptied and filled again, entry by entry',
  async ({ page }) => {
    const grid = await openMissions(page);
    await right(page, 5);
    await page.keyboard.press('Enter');
    const editor = page.getByRole('dialog', { name: 'Value of launchSite' });
    await editor.locator('.cm-line').first().waitFor();
    await expect
      .poll(() => editor.evaluate((element) => element.contains(document.activeElement)))
      .toBe(true);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('[4]');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(async () => (await grid.texts('launchSite'))[0]).toBe('[4]');

    await grid.focused();
    await page.keyboard.press('Enter');
    const entry = editor.getByRole('textbox', { name: 'Add to launchSite' });
    await entry.waitFor();
    await page.keyboard.press('Backspace');
    await expect.poll(() => editor.getByRole('listitem').count()).toBe(0);
    await entry.waitFor();
    await page.keyboard.type('5');
    await page.keyboard.press('Enter');
    await expect.poll(() => editor.getByRole('listitem').allTextContents()).toEqual(['5']);
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(async () => (await grid.texts('launchSite'))[0]).toBe('[5]');
  },
);
