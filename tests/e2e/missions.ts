import type { Page } from 'playwright-core';
import { press } from './browser.ts';
import { gridOf } from './grid.ts';
import { openTable } from './journey.ts';

/** Opens the missions of the Weaviate sample, with the focus on the first cell. */
export async function openMissions(page: Page) {
  await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
  await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
  await openTable(page, 'Mission');
  const grid = gridOf(page, 'Rows of Mission');
  await grid.focus();
  await page.keyboard.press('ControlOrMeta+Home');
  return grid;
}
