import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from './axe.ts';
import { choose, press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { openSample, openTable, sharedJourney } from './journey.ts';

const byMouse = { allow: /The mouse was used/ };
const chip = (page: Page, text: string) => page.getByRole('button', { name: `Edit filter ${text}` });
const builder = (page: Page) => page.getByRole('form', { name: 'Filters' });

async function filterBy(page: Page, column: string, operator: string): Promise<void> {
  await tabTo(page.getByLabel('Column of filter 1'), { back: true });
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(column);
  await choose(page.getByRole('option', { name: new RegExp(`^${column}`) }));
  await tabTo(page.getByLabel('Operator of filter 1'));
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: operator, exact: true }).waitFor();
  await page.keyboard.press('Home');
  await choose(page.getByRole('option', { name: operator, exact: true }));
}

sharedJourney('a filter is switched off and on, and removed, by keyboard', async ({ page }) => {
  await openSample(page);
  await openTable(page, 'elements');
  const grid = gridOf(page, 'Rows of elements');
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await filterBy(page, 'category', 'contains');
  await tabTo(page.getByLabel('Value of filter 1'));
  await page.keyboard.type('noble');
  await page.keyboard.press('Enter');
  await page.getByText('1–6 of 6').waitFor();
  await grid.focused();
  expect(await findings(page)).toEqual([]);

  const toggle = page.getByRole('switch', { name: 'Filter 1: category contains noble' });
  await press(toggle, { back: true });
  await page.getByText('1–118 of 118').waitFor();
  await expect.poll(() => toggle.getAttribute('aria-checked')).toBe('false');
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('ControlOrMeta+Shift+f');
  const use = page.getByRole('switch', { name: 'Use filter 1' });
  await expect.poll(() => use.getAttribute('aria-checked')).toBe('false');
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByText('1–118 of 118').waitFor();
  await expect.poll(() => toggle.getAttribute('aria-checked')).toBe('false');
  await press(toggle);
  await page.getByText('1–6 of 6').waitFor();
  await press(page.getByRole('button', { name: 'Remove filter 1: category contains noble' }));
  await page.getByText('1–118 of 118').waitFor();
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await expect.poll(() => page.getByLabel('Value of filter 1').inputValue()).toBe('');
});

sharedJourney('a filter is typed from start to end, by column name, operator and value', async ({ page }) => {
  await openSample(page);
  await openTable(page, 'elements');
  const grid = gridOf(page, 'Rows of elements');
  const column = page.getByLabel('Column of filter 1');
  const selected = () =>
    column.evaluate((field: HTMLInputElement) =>
      field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0),
    );

  // The filter begins with the column of the cursor, and its value has the focus.
  await grid.focus();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await expect.poll(() => column.inputValue()).toBe('symbol');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Value of filter 1');

  // What is typed replaces the column’s name, and Enter takes the first match.
  await tabTo(column, { back: true });
  await expect.poll(selected).toBe('symbol');
  await page.keyboard.type('cat');
  await page.getByRole('option', { name: /^category/, selected: false }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => column.inputValue()).toBe('category');
  await tabTo(page.getByLabel('Value of filter 1'));
  await page.keyboard.type('noble gas');
  await page.keyboard.press('Enter');
  await page.getByText('1–6 of 6').waitFor();

  // “Filter…” in the menu of a cell and of a column adds a filter on that column.
  await grid.focused();
  await page.keyboard.press('Shift+F10');
  await choose(page.getByRole('menuitem', { name: 'Filter…' }));
  await expect.poll(() => page.getByLabel('Column of filter 2').inputValue()).toBe('symbol');
  await page.keyboard.type('He');
  await page.keyboard.press('Enter');
  await page.getByText('1–1 of 1').waitFor();
});

/** Filters the planets by the id of the first row, from the menu of the cell. */
async function filterByFirstId(page: Page): Promise<void> {
  await openSample(page);
  await openTable(page, 'planets');
  const grid = gridOf(page, 'Rows of planets');
  await grid.focus();
  await page.keyboard.press('Shift+F10');
  await choose(page.getByRole('menuitem', { name: 'Filter by this value' }));
}

sharedJourney(
  'a filter by the value of a numeric cell ends when the user removes it in the builder',
  async ({ page }) => {
    await filterByFirstId(page);
    await chip(page, '1: id = 1').waitFor();
    await page.getByText('1–1 of 1').waitFor();
    await page.keyboard.press('ControlOrMeta+Shift+f');
    await press(builder(page).getByRole('button', { name: 'Remove filter 1' }));
    await page.getByText('1–10 of 10').waitFor();
  },
);

sharedJourney(
  'a filter ends when the user edits its value in the builder and then removes the filter',
  async ({ page }) => {
    await filterByFirstId(page);
    await page.getByText('1–1 of 1').waitFor();
    await page.keyboard.press('ControlOrMeta+Shift+f');
    await tabTo(page.getByLabel('Value of filter 1'));
    await page.keyboard.type('2');
    await press(builder(page).getByRole('button', { name: 'Remove filter 1' }));
    await page.getByText('1–10 of 10').waitFor();
    await chip(page, '1: id = 1').waitFor({ state: 'detached' });
  },
);

sharedJourney('Backspace brings a value with a comma back into the field as one value', async ({ page }) => {
  await openSample(page);
  await openTable(page, 'planets');
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await filterBy(page, 'name', 'in list');
  const values = page.getByLabel('Values of filter 1');
  await tabTo(values);
  await page.keyboard.type('Mars, "a, b",');
  await page.keyboard.press('Backspace');
  await expect.poll(() => values.inputValue()).toBe('"a, b"');
  await page.keyboard.press('Enter');
  await page.getByText('1–1 of 1').waitFor();
  await chip(page, '1: name in Mars, "a, b"').waitFor();
});

sharedJourney('a filter with a list of values is combined with another filter by or', async ({ page }) => {
  await openSample(page);
  await openTable(page, 'elements');
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await filterBy(page, 'category', 'contains');
  await tabTo(page.getByLabel('Value of filter 1'));
  await page.keyboard.type('noble');
  await press(page.getByRole('button', { name: 'Add filter' }));
  await tabTo(page.getByLabel('Column of filter 2'), { back: true });
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('symbol');
  await choose(page.getByRole('option', { name: /^symbol/ }));
  await tabTo(page.getByLabel('Operator of filter 2'));
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'in list', exact: true }).waitFor();
  await choose(page.getByRole('option', { name: 'in list', exact: true }));
  await tabTo(page.getByLabel('Values of filter 2'));
  await page.keyboard.type('Fe, Au');
  await page.keyboard.press('Enter');
  await page.getByText('No rows match the filters').waitFor();
  await press(page.getByRole('button', { name: 'Combined with and: switch to or' }), { back: true });
  await page.getByText('1–8 of 8').waitFor();
});

sharedJourney('a preset of filters is saved, renamed, chosen and deleted', async ({ page }) => {
  await openSample(page);
  await openTable(page, 'planets');
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await filterBy(page, 'name', 'contains');
  await tabTo(page.getByLabel('Value of filter 1'));
  await page.keyboard.type('Mars');
  await press(page.getByRole('button', { name: 'Presets' }));
  await tabTo(page.getByLabel('Name for these filters'));
  await page.keyboard.type('The red one');
  await page.keyboard.press('Enter');
  const presets = page.getByRole('list', { name: 'Presets' });
  await presets.getByRole('button', { name: /^The red one/ }).waitFor();
  expect(await findings(page)).toEqual([]);
  await press(presets.getByRole('button', { name: 'Rename The red one' }), { back: true });
  await page.getByLabel('New name of The red one').waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Red');
  await page.keyboard.press('Enter');
  const renamed = presets.getByRole('button', { name: /^Red/ });
  await expect.poll(() => renamed.evaluate((button) => button === document.activeElement)).toBe(true);

  await page.reload();
  await page.getByText('1–10 of 10').waitFor();
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await press(page.getByRole('button', { name: 'Presets' }));
  await press(presets.getByRole('button', { name: /^Red/ }));
  await page.getByText('1–1 of 1').waitFor();
  await chip(page, '1: name contains Mars').waitFor();

  // Choosing the same preset again replaces a value that was typed and not applied.
  const value = page.getByLabel('Value of filter 1');
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await tabTo(value);
  await page.keyboard.type('Venus');
  await press(presets.getByRole('button', { name: /^Red/ }));
  await builder(page).waitFor({ state: 'detached' });
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await expect.poll(() => value.inputValue()).toBe('Mars');
  await press(presets.getByRole('button', { name: 'Delete Red' }));
  await page.getByText('This table has no presets yet.').waitFor();

  // A filter that is off and removed in the builder also loses its chip.
  await page.keyboard.press('Escape');
  await press(page.getByRole('switch', { name: 'Filter 1: name contains Mars' }), { back: true });
  await page.getByText('1–10 of 10').waitFor();
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await press(builder(page).getByRole('button', { name: 'Remove filter 1' }));
  await chip(page, '1: name contains Mars').waitFor({ state: 'detached' });
});

sharedJourney(
  'by mouse the builder opens below its button, and a press beside the builder closes it',
  async ({ page }) => {
    await openSample(page);
    await openTable(page, 'planets');
    const button = page.getByRole('button', { name: 'Filter', exact: true });
    await button.click();
    await builder(page).waitFor();
    const [below, panel] = [await button.boundingBox(), await page.getByRole('search').boundingBox()];
    expect(Math.abs(panel!.x - below!.x)).toBeLessThanOrEqual(2);
    expect(panel!.y).toBeGreaterThanOrEqual(below!.y + below!.height);
    await page.getByLabel('Operator of filter 1').click();
    await page.getByRole('option', { name: 'greater than', exact: true }).click();
    await page.getByLabel('Value of filter 1').fill('8');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('1–2 of 2').waitFor();
    await builder(page).waitFor({ state: 'detached' });
    await chip(page, '1: id > 8').click();
    await builder(page).waitFor();
    await page.getByText('1–2 of 2').click();
    await builder(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove filter 1' }).click();
    await page.getByText('1–10 of 10').waitFor();
  },
  byMouse,
);

sharedJourney('a boolean is chosen from a list, and "is not NULL" has no value', async ({ page }) => {
  await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
  await openTable(page, 'Mission');
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await filterBy(page, 'crewed', 'equals');
  await tabTo(page.getByRole('combobox', { name: 'Value of filter 1' }));
  await page.keyboard.press('Enter');
  await choose(page.getByRole('option', { name: 'true', exact: true }));
  await press(page.getByRole('button', { name: 'Apply' }));
  await chip(page, '1: crewed = true').waitFor();
  const rows = page.getByText(/^1–\d+ of \d+$/);
  await expect.poll(() => rows.textContent()).not.toContain('170');
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await filterBy(page, 'launched', 'is not NULL');
  expect(await page.getByLabel('Value of filter 1').count()).toBe(0);
  await press(page.getByRole('button', { name: 'Apply' }));
  await chip(page, '1: launched is not NULL').waitFor();
});
