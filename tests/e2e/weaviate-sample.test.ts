import { expect } from 'vitest';
import { choose, press } from './browser.ts';
import { gridOf } from './grid.ts';
import { type Journey, openTable, sharedJourney } from './journey.ts';

async function openMissions({ page }: Journey) {
  await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
  await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
  await openTable(page, 'Mission');
  return gridOf(page, 'Rows of Mission');
}

sharedJourney('the sample is searched by meaning, edited, and restored', async (at) => {
  const { page } = at;
  const grid = await openMissions(at);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('spacecraft');
  await page.keyboard.press('Enter');
  await page.getByText('Search results for “spacecraft”').waitFor();
  await expect.poll(() => grid.header('distance').count()).toBe(1);
  await page.keyboard.press('Escape');
  await expect.poll(() => grid.header('distance').count()).toBe(0);

  const [first] = await grid.texts('name');
  await grid.focus();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('Renamed');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('1 edited').waitFor({ state: 'detached' });
  await expect.poll(async () => (await grid.texts('name'))[0]).toBe('Renamed');

  await press(page.getByRole('button', { name: 'Menu of Sample: Weaviate' }), { back: true });
  await choose(page.getByRole('menuitem', { name: 'Restore sample rows…' }));
  const question = page.getByRole('alertdialog', { name: 'Restore the sample’s rows?' });
  await press(question.getByRole('button', { name: 'Restore rows' }));
  await question.waitFor({ state: 'detached' });
  await expect.poll(async () => (await grid.texts('name'))[0]).toBe(first);
});
