import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { choose, press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { openSample, openTable, refusedRequest, sharedJourney } from './journey.ts';

const options = { allow: refusedRequest };

async function setColumn(page: Page, column: string, operator: string, number = 1): Promise<void> {
  await tabTo(page.getByLabel(`Column of filter ${number}`), { back: true });
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(column);
  await choose(page.getByRole('option', { name: new RegExp(`^${column}`) }));
  await tabTo(page.getByLabel(`Operator of filter ${number}`));
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: operator, exact: true }).waitFor();
  await page.keyboard.press('Home');
  await choose(page.getByRole('option', { name: operator, exact: true }));
  await tabTo(page.getByLabel(`Value of filter ${number}`));
}

sharedJourney(
  'if a filter cannot run, no rows are shown, and the reason is shown at the filter',
  async ({ page }) => {
    await openSample(page);
    await openTable(page, 'elements');
    const grid = gridOf(page, 'Rows of elements');
    await page.keyboard.press('ControlOrMeta+Shift+f');
    await page.keyboard.type('abc');
    await page.keyboard.press('Enter');
    const row = page.getByRole('listitem').filter({ has: page.getByLabel('Value of filter 1') });
    const refusal = row.getByRole('alert').filter({ hasText: '"abc" does not fit. Expected a whole number' });
    await refusal.waitFor();
    await page.getByText('The filters did not run').waitFor();
    await expect.poll(() => grid.locator.count()).toBe(0);
    expect(await page.getByText(/^1–/).count()).toBe(0);
    expect(await page.getByText('Not applied').count()).toBe(1);

    // There is nothing to select or delete.
    await page.keyboard.press('Escape');
    await tabTo(page.getByRole('button', { name: 'Clear filters' }));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    expect(await page.getByText(/\d deleted/).count()).toBe(0);

    // The first change of the filter removes the reason, before the filter runs again.
    await page.keyboard.press('ControlOrMeta+Shift+f');
    await tabTo(page.getByLabel('Value of filter 1'));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('8');
    await refusal.waitFor({ state: 'detached' });
    expect(await page.getByRole('search').getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByText('1–1 of 1').waitFor();
    await expect.poll(() => grid.texts('symbol')).toEqual(['O']);

    // After a reload, the filter is sent and refused again. The chip of the filter has the reason as its description.
    await page.keyboard.press('ControlOrMeta+Shift+f');
    await tabTo(page.getByLabel('Value of filter 1'));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('xyz');
    await page.keyboard.press('Enter');
    await row.getByRole('alert').waitFor();
    await page.reload();
    const chip = page.getByRole('button', { name: 'Edit filter 1: atomic_number = xyz' });
    await page.getByRole('alert').filter({ hasText: '"xyz" does not fit' }).waitFor();
    const reason = page.locator(`[id="${await chip.getAttribute('aria-describedby')}"]`);
    expect(await reason.textContent()).toContain('"xyz" does not fit');
    await expect.poll(() => grid.locator.count()).toBe(0);
    await press(page.getByRole('button', { name: 'Clear filters' }));
    await page.getByText('1–118 of 118').waitFor();
  },
  options,
);

sharedJourney(
  'if one of two filters cannot run, that filter shows the reason until it is changed',
  async ({ page }) => {
    await openSample(page);
    await openTable(page, 'elements');
    await page.keyboard.press('ControlOrMeta+Shift+f');
    await setColumn(page, 'category', 'contains');
    await page.keyboard.type('noble');
    await press(page.getByRole('button', { name: 'Add filter' }));
    await setColumn(page, 'atomic_number', 'equals', 2);
    await page.keyboard.type('abc');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('search').getByRole('alert');
    await alert.waitFor();
    const second = page.getByRole('listitem').filter({ has: page.getByLabel('Value of filter 2') });
    await expect.poll(() => second.getByRole('alert').count()).toBe(1);
    expect(await alert.count()).toBe(1);
    await tabTo(page.getByLabel('Value of filter 2'), { back: true });
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('2');
    await alert.waitFor({ state: 'detached' });
  },
  options,
);

sharedJourney('the note at a filter says what its operator matches', async ({ page }) => {
  await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
  await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
  await openTable(page, 'Mission');
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await setColumn(page, 'description', 'equals');
  await page.getByText('matches whole words in any order, ignores case').waitFor();
  await setColumn(page, 'description', 'contains');
  await page.getByText('matches inside words too, words in any order, ignores case').waitFor();
  await page.keyboard.type('ellit');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Edit filter 1: description contains ellit' }).waitFor();
  // The operator works as its note says: “ellit” matches inside words.
  await expect
    .poll(async () => (await gridOf(page, 'Rows of Mission').texts('description')).length)
    .toBeGreaterThan(0);
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await setColumn(page, 'launched', 'equals');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('1969-07-16');
  await page.getByText('the whole day, 1969-07-16T00:00:00Z to before 1969-07-17T00:00:00Z').waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => gridOf(page, 'Rows of Mission').texts('name')).toEqual(['Apollo 11']);
});
