import { expect } from 'vitest';
import { press } from './browser.ts';
import { gridOf } from './grid.ts';
import { openSample, openTable, sharedJourney } from './journey.ts';

sharedJourney(
  'finds text in the page by keys, goes through the matches and back to the grid',
  async ({ page }) => {
    await openSample(page);
    await openTable(page, 'elements');
    const grid = gridOf(page, 'Rows of elements');
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+f');
    const bar = page.getByRole('search', { name: 'Find in this page' });
    await bar.getByRole('textbox').waitFor();
    await page.keyboard.type('OXYGEN');
    await bar.getByText(/^1 of \d/).waitFor();
    await expect.poll(async () => (await grid.active())?.toLowerCase()).toContain('oxygen');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('nium');
    const count = bar.getByRole('status');
    await expect.poll(() => count.textContent()).toMatch(/^\d+ of \d+$/);
    const first = await grid.active();
    await page.keyboard.press('Enter');
    await expect.poll(() => grid.active()).not.toBe(first);
    await page.keyboard.press('Shift+Enter');
    await expect.poll(() => grid.active()).toBe(first);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('no such text');
    await bar.getByText('No match').waitFor();
    await page.keyboard.press('Escape');
    await bar.waitFor({ state: 'detached' });
    await grid.focused();
  },
);

sharedJourney(
  'on the Weaviate sample, Find opens from the palette, works by mouse, and finds an edited value',
  async ({ page }) => {
    await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
    await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
    await openTable(page, 'Mission');
    const grid = gridOf(page, 'Rows of Mission');
    await expect.poll(async () => (await grid.texts('name'))[0]).toBeTruthy();
    const [name] = await grid.texts('name');
    await page.keyboard.press('ControlOrMeta+p');
    await page.getByRole('combobox', { name: 'Open anything' }).waitFor();
    await page.keyboard.type('Find in the page');
    await page.keyboard.press('Enter');
    const bar = page.getByRole('search', { name: 'Find in this page' });
    const field = bar.getByRole('textbox');
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    await field.fill(name!);
    const count = bar.getByRole('status');
    // A count with a plus belongs to a search that is still running.
    await expect.poll(() => count.textContent()).toMatch(/^1 of [1-9]\d*$/);
    const total = Number((await count.textContent())!.split(' ').at(-1));
    await page.getByRole('button', { name: 'Next match' }).click({ force: true });
    await page.getByRole('button', { name: 'Close find' }).click();
    await grid.focused();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('zebra crossing');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+f');
    await page.keyboard.type('ZEBRA');
    await expect.poll(() => count.textContent()).toBe('1 of 1');
    expect(total).toBeGreaterThan(0);
  },
  { allow: /The mouse was used/ },
);
