import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { press } from './browser.ts';
import { addFilter } from './filter.ts';
import { gridOf } from './grid.ts';
import { openTable, sharedJourney } from './journey.ts';
import { openCluster, sharedWeaviateJourney, useWeaviate } from './weaviate-journey.ts';

/** The most pixels that may be above the first row: the tabs, the bar and the column names. */
const budget = 96;
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 640 },
];
const weaviate = useWeaviate();

/**
 * The distance from the top of the tab panel to the column names, and from the top of the window to the first row.
 */
async function above(page: Page) {
  await page.getByRole('rowheader').first().waitFor();
  return page.evaluate(() => {
    const top = (selector: string) => document.querySelector(selector)!.getBoundingClientRect().top;
    const header = top('[role=tabpanel]:not([hidden]) [role=columnheader]');
    return {
      header: header - top('[role=tabpanel]:not([hidden])'),
      firstRow: top('[role=tabpanel]:not([hidden]) [role=rowheader]'),
    };
  });
}

async function expectRoom(page: Page): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    const { header, firstRow } = await above(page);
    expect(header).toBeLessThanOrEqual(budget);
    expect(firstRow).toBeLessThanOrEqual(budget);
  }
}

sharedJourney('at most 96 px are above the rows, also with filters and a search', async ({ page }) => {
  await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
  await openTable(page, 'Mission');
  const grid = gridOf(page, 'Rows of Mission');
  await expectRoom(page);
  await addFilter(page, 'description', 'Moon', 1);
  await addFilter(page, 'description', 'orbit', 2);
  await expectRoom(page);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('footprints in the dust');
  await page.keyboard.press('Enter');
  await page.getByText('Search results for “footprints in the dust”').waitFor();
  await expect.poll(async () => (await grid.texts('name')).length).toBeGreaterThan(0);
  await expectRoom(page);
});

sharedJourney(
  'the search box gets the space that the filters leave, also if they are folded',
  async ({ page }) => {
    await page.setViewportSize(sizes[1]!);
    await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
    await openTable(page, 'Mission');
    const free = () =>
      page.evaluate(() => {
        const right = (selector: string) => document.querySelector(selector)!.getBoundingClientRect().right;
        return right('[data-bar-controls]') - right('[data-filter-button]');
      });
    await addFilter(page, 'description', 'Moon', 1);
    await page.getByRole('list', { name: 'Filters' }).waitFor();
    await expect.poll(free).toBeLessThan(2);
    await addFilter(page, 'description', 'orbit', 2);
    await page.getByRole('button', { name: '2 filters' }).waitFor();
    await expect.poll(free).toBeLessThan(2);
  },
);

sharedJourney('the comparison of searches has one bar, and the filters are in it', async ({ page }) => {
  await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
  await openTable(page, 'Mission');
  await addFilter(page, 'description', 'Moon', 1);
  await press(page.getByRole('button', { name: 'Compare', exact: true }), { back: true });
  const stage = page.getByRole('region', { name: 'Comparison' });
  await stage.waitFor();
  const chip = page.getByRole('button', { name: 'Edit filter 1: description' });
  for (const size of sizes) {
    await page.setViewportSize(size);
    expect((await stage.boundingBox())!.y).toBeLessThanOrEqual(budget);
    const bar = page.getByRole('toolbar', { name: 'Table' }).locator('[data-bar-controls]');
    expect(await bar.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  }
  await page.setViewportSize({ width: 1800, height: 900 });
  // A filter that is switched off here stays in the bar, and is still off after a reload.
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.insertText('orbit');
  const found = page.getByRole('list', { name: 'Results of Keyword' }).locator('li[data-key]');
  await expect.poll(() => found.count()).toBeGreaterThan(0);
  const within = await found.allTextContents();
  await press(page.getByRole('switch', { name: 'Filter 1: description' }));
  await expect.poll(() => found.allTextContents()).not.toEqual(within);
  await chip.waitFor();
  await page.reload();
  await page.getByRole('switch', { name: 'Filter 1: description', checked: false }).waitFor();
});

sharedWeaviateJourney('at most 96 px are above the rows of a tenant', async (at) => {
  const { page } = at;
  await openCluster(at, weaviate.port);
  await page.keyboard.type('Notes');
  await page.keyboard.press('Enter');
  const list = page.getByRole('list', { name: 'Tenants' });
  await press(list.getByRole('button').first());
  await gridOf(page, 'Rows of Notes').locator.waitFor();
  await expectRoom(page);
});
