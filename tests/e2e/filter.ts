import type { Page } from 'playwright-core';
import { choose, press, tabTo } from './browser.ts';

/** Adds a filter to the open table. `number` counts from 1. The operator is the one that the form proposes. */
export async function addFilter(page: Page, column: string, value: string, number: number): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await page.getByLabel('Column of filter 1').waitFor();
  if (number > 1) await press(page.getByRole('button', { name: 'Add filter' }));
  await tabTo(page.getByLabel(`Column of filter ${number}`), { back: true });
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(column);
  await choose(page.getByRole('option', { name: new RegExp(`^${column}`) }));
  await tabTo(page.getByLabel(`Value of filter ${number}`));
  await page.keyboard.type(value);
  await page.keyboard.press('Enter');
  await page.getByRole('form', { name: 'Filters' }).waitFor({ state: 'detached' });
}
