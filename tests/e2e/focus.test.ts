import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { importConnections } from './app.ts';
import { press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { holdRequests } from './held-requests.ts';
import { openSample, openTable, sharedJourney } from './journey.ts';

const isFocused = (element: Element) => element === document.activeElement;

async function expectTyped(field: Locator, text: string): Promise<void> {
  await expect.poll(() => field.inputValue()).toBe(text);
  expect(await field.evaluate(isFocused)).toBe(true);
}

/** Types a text and removes it again, so that the entries that the text hid return. */
async function typeAndClear(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(field, { back: true });
  await page.keyboard.type(text);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Backspace');
}

sharedJourney('rows that arrive after Apply leave the focus where the user types', async ({ page }) => {
  await openSample(page);
  await openTable(page, 'elements');
  const pages = await holdRequests(page, '**/data/browse');
  try {
    const grid = gridOf(page, 'Rows of elements');
    await grid.focused();
    await page.keyboard.press('ControlOrMeta+Shift+f');
    const value = page.getByLabel('Value of filter 1');
    await tabTo(value);
    await page.keyboard.type('1');
    pages.hold();
    await page.keyboard.press('Enter');
    await expect.poll(() => pages.held).toBe(1);
    const tables = page.getByRole('textbox', { name: 'Filter tables' });
    await tabTo(tables, { back: true });
    await page.keyboard.type('pla');
    pages.release();
    await page.getByText('1–1 of 1').waitFor();
    await value.waitFor({ state: 'detached' });
    await page.keyboard.type('nets');
    await expectTyped(tables, 'planets');

    await page.keyboard.press('ControlOrMeta+Shift+f');
    await expect.poll(() => value.evaluate(isFocused)).toBe(true);
    await page.keyboard.type('2');
    pages.hold();
    await page.keyboard.press('Enter');
    await expect.poll(() => pages.held).toBe(2);
    await page.keyboard.type('3');
    pages.release();
    await expect.poll(() => grid.texts('symbol')).toEqual(['He']);
    await page.keyboard.type('4');
    await expectTyped(value, '234');
    await page.getByText('edited').waitFor({ state: 'detached' });
  } finally {
    await pages.end();
  }
});

sharedJourney(
  'the name of a new preset can be typed while another preset is being renamed',
  async ({ page }) => {
    await openSample(page);
    await openTable(page, 'planets');
    await page.keyboard.press('ControlOrMeta+Shift+f');
    await tabTo(page.getByLabel('Value of filter 1'));
    await page.keyboard.type('3');
    await press(page.getByRole('button', { name: 'Presets' }));
    const name = page.getByLabel('Name for these filters');
    await tabTo(name);
    await page.keyboard.type('One');
    await page.keyboard.press('Enter');
    await press(page.getByRole('button', { name: 'Rename One' }), { back: true });
    const renamed = page.getByLabel('New name of One');
    await expect.poll(() => renamed.evaluate(isFocused)).toBe(true);
    await tabTo(name);
    await page.keyboard.type('Another');
    await expectTyped(name, 'Another');
    expect(await renamed.inputValue()).toBe('One');
  },
);

sharedJourney('entries that return to a list leave the focus in its search field', async ({ app, page }) => {
  const { file } = (await app.sample()).fields;
  const names = ['Xenon', 'Yttrium', 'Zinc'];
  await importConnections(
    app,
    names.map((name) => ({ name, driver: 'sqlite', fields: { file } })),
  );
  await page.getByRole('button', { name: /^Zinc/ }).waitFor();
  const connections = page.getByRole('textbox', { name: 'Find a connection' });
  await typeAndClear(page, connections, 'zinc');
  await page.getByRole('button', { name: /^Xenon/ }).waitFor();
  await page.keyboard.type('xe');
  await expectTyped(connections, 'xe');
  await press(page.getByRole('button', { name: 'Clear: Find a connection' }));
  await page.keyboard.type('yt');
  await expectTyped(connections, 'yt');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');

  await press(page.getByRole('button', { name: 'New connection' }));
  const dialog = page.getByRole('dialog', { name: 'New connection' });
  const drivers = dialog.getByRole('textbox', { name: 'Search database types' });
  await expect.poll(() => dialog.locator('li button').first().evaluate(isFocused)).toBe(true);
  await typeAndClear(page, drivers, 'no such type');
  await page.keyboard.type('sq');
  await expectTyped(drivers, 'sq');
  await page.keyboard.press('Escape');
});

sharedJourney(
  'an edit that ends by a press on another field leaves the focus in that field',
  async ({ page }) => {
    await openSample(page);
    await openTable(page, 'planets');
    const grid = gridOf(page, 'Rows of planets');
    const field = page.getByRole('search', { name: 'Find in this page' }).getByRole('textbox');
    const edits = [
      { keys: ['ArrowRight'], text: 'Hermes', found: 'Venus' },
      { keys: ['Shift+Enter'], text: 'Gaia', found: 'Mars' },
    ];
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+f');
    await field.waitFor();
    for (const { keys, text, found } of edits) {
      await grid.focus();
      for (const key of keys) await page.keyboard.press(key);
      await page.keyboard.type(text);
      await field.click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(found);
      await expect.poll(() => field.inputValue()).toBe(found);
      await expect.poll(() => grid.texts('name')).toContain(text);
      await expect.poll(() => grid.active()).toBe(found);
    }
  },
  { allow: /The mouse was used/ },
);

sharedJourney(
  'an editor with an invalid value stays at its cell while Find moves the active cell',
  async ({ page }) => {
    await openSample(page);
    await openTable(page, 'planets');
    const grid = gridOf(page, 'Rows of planets');
    const field = page.getByRole('search', { name: 'Find in this page' }).getByRole('textbox');
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+f');
    await field.waitFor();
    await grid.focus();
    for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowRight');
    await page.keyboard.type('big');
    const editor = page.locator('input[data-grid-editor]');
    const place = await editor.boundingBox();
    await field.click();
    await page.keyboard.type('Venus');
    await expect.poll(() => grid.active()).toBe('Venus');
    expect([await editor.inputValue(), await editor.boundingBox()]).toEqual(['big', place]);
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await editor.fill('55');
    await editor.press('Enter');
    await expect.poll(async () => (await grid.rowHeaders())[0]).toBe('Row 1, edited');
  },
  { allow: /The mouse was used/ },
);

sharedJourney('the grid still shows notices after its menu has closed', async ({ page }) => {
  await openSample(page);
  await openTable(page, 'planets');
  const grid = gridOf(page, 'Rows of planets');
  await grid.focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: /^Copy/ }).first().waitFor();
  await page.keyboard.press('Escape');
  await grid.focused();
  await page.keyboard.press('ControlOrMeta+d');
  await page.locator('[aria-hidden]').getByText('There is no row above to fill from').waitFor();
});

sharedJourney(
  'a connection that is closed by keyboard leaves the focus in the rail',
  async ({ page, app }) => {
    await openSample(page);
    const places = page.getByRole('navigation', { name: 'Places' });
    const first = places.getByRole('button', { name: 'Connections' });
    await press(first, { back: true });
    const { file } = (await app.sample()).fields;
    await importConnections(app, [{ name: 'World', driver: 'sqlite', fields: { file } }]);
    await press(page.getByRole('button', { name: /^World/ }));
    await page.getByRole('button', { name: 'Table elements' }).waitFor();
    const tables = page.getByRole('textbox', { name: 'Filter tables' });
    await tabTo(tables, { back: true });
    await page.keyboard.type('pla');
    // This Escape ends the composition of a letter. It must not clear the field.
    await tables.dispatchEvent('keydown', { key: 'Escape', isComposing: true });
    await page.keyboard.type('nets');
    await expectTyped(tables, 'planets');

    const tile = places.getByRole('button', { name: /^Go to Sample: SQLite/ });
    await tabTo(tile, { back: true });
    await page.keyboard.press('Delete');
    await tile.waitFor({ state: 'detached' });
    await expect.poll(() => first.evaluate(isFocused)).toBe(true);
  },
);
