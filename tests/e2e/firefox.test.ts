import { expect } from 'vitest';
import { choose, press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { firefoxJourney, openSample, openTable } from './journey.ts';

/** The window may open in the default browser, so the main journeys also run in Firefox. */

firefoxJourney('Firefox: the grid fills its pane; rows are filtered, edited and saved', async ({ page }) => {
  await openSample(page);
  await openTable(page, 'planets');
  const grid = gridOf(page, 'Rows of planets');
  await page.getByText('1–10 of 10').waitFor();
  // The grid fills its pane: no strip is left to its right or below it.
  const frame = page.locator('[data-grid-frame]').first();
  const left = await frame.evaluate((element) => {
    const pane = element.closest('[role=tabpanel]')!.getBoundingClientRect();
    const foot = document.querySelector('footer')!.getBoundingClientRect();
    const own = element.getBoundingClientRect();
    return { right: Math.round(pane.right - own.right), below: Math.round(foot.top - own.bottom) };
  });
  expect(left).toEqual({ right: 0, below: 0 });

  await page.keyboard.press('ControlOrMeta+Shift+f');
  await tabTo(page.getByLabel('Column of filter 1'), { back: true });
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('kind');
  await choose(page.getByRole('option', { name: /^kind/ }));
  await tabTo(page.getByLabel('Value of filter 1'));
  await page.keyboard.type('dwarf planet');
  await page.keyboard.press('Enter');
  await expect.poll(() => grid.texts('name')).toEqual(['Ceres', 'Pluto']);

  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('Pluto again');
  await page.keyboard.press('Enter');
  await page.getByText('1 edited').waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('1 edited').waitFor({ state: 'detached' });
  await page.keyboard.press('ControlOrMeta+r');
  await expect.poll(() => grid.texts('name')).toEqual(['Ceres', 'Pluto again']);

  await page.keyboard.press('Alt+s');
  await page.getByRole('region', { name: 'Structure of planets' }).getByText('CREATE TABLE').waitFor();
});

firefoxJourney('Firefox: a collection is searched by meaning, and a query runs', async ({ page }) => {
  await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
  await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
  await openTable(page, 'Mission');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('spacecraft');
  await page.keyboard.press('Enter');
  await page.getByText('Search results for “spacecraft”').waitFor();
  await expect.poll(() => gridOf(page, 'Rows of Mission').header('distance').count()).toBe(1);

  await page.keyboard.press('Alt+n');
  const editor = page.getByRole('textbox', { name: 'Query 1' });
  await editor.waitFor();
  await expect.poll(() => editor.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.insertText('{ Get { Mission(limit: 2) { name } } }');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(async () => (await gridOf(page, 'Mission').texts('name')).length).toBe(2);
});

firefoxJourney(
  'Firefox: cells are copied, text is pasted into two rows, and one undo takes the paste back',
  async ({ page }) => {
    await openSample(page);
    await openTable(page, 'planets');
    const grid = gridOf(page, 'Rows of planets');
    await page.getByText('1–10 of 10').waitFor();
    await grid.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('ControlOrMeta+c');
    await page.getByText('Copied 2 cells').first().waitFor();
    await grid.focused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => grid.active()).toBe('Earth');
    // Keys sent over WebDriver BiDi cause no paste event. The test makes one with the text of two cells of a
    // spreadsheet.
    await grid.locator.evaluate((element) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'Mercury\nVenus\n');
      const event = new Event('paste', { bubbles: true, cancelable: true });
      element.dispatchEvent(Object.assign(event, { clipboardData }));
    });
    await page.getByText('2 edited').waitFor();
    const names = async () => (await grid.texts('name')).slice(0, 4);
    await expect.poll(names).toEqual(['Mercury', 'Venus', 'Mercury', 'Venus']);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(names).toEqual(['Mercury', 'Venus', 'Earth', 'Mars']);
  },
);
