import { expect } from 'vitest';
import { findingsInBothThemes as findings } from './axe.ts';
import { choose, press, tabTo } from './browser.ts';
import { openTable, sharedJourney } from './journey.ts';

sharedJourney('axe finds no problem in search, row inspector, export and a document', async ({ page }) => {
  await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
  await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
  await openTable(page, 'Mission');
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('Alt+i');
  await page.getByText('356 dimensions').waitFor();
  await tabTo(page.getByRole('combobox', { name: 'Kind of search' }), { back: true });
  await page.keyboard.press('Enter');
  await choose(page.getByRole('option', { name: 'Hybrid' }));
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('telescope');
  await page.keyboard.press('Enter');
  await page.getByText('Search results for “telescope”').waitFor();
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await page.getByLabel('Column of filter 1').waitFor();
  expect(await findings(page)).toEqual([]);

  await press(page.getByRole('button', { name: 'Export…' }));
  await page.getByRole('dialog', { name: 'Export Mission' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.keyboard.press('Alt+n');
  await page.getByRole('textbox', { name: 'Query 1' }).waitFor();
  await page.keyboard.insertText('GET /schema/Mission');
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.getByRole('region', { name: 'Document' }).waitFor();
  expect(await findings(page)).toEqual([]);
});
