import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { findingsInBothThemes as findings } from './axe.ts';
import { choose, press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { journey, openTable } from './journey.ts';
import { nearestSongs, nearPairs, seedSongs, songs } from './songs.ts';
import { weaviateServers } from './weaviate-servers.ts';

const pairList = (page: Page) => page.getByRole('list', { name: 'Pairs of rows' });
const entriesOf = (list: Locator) => list.getByRole('button');

/** The titles in each entry, in the order of the letters. */
async function pairsShown(page: Page): Promise<string[]> {
  const texts = await entriesOf(pairList(page)).allTextContents();
  return texts.map((text) => (text.match(/Song \d\d/g) ?? []).sort().join(' ')).sort();
}

async function setThreshold(page: Page, value: string): Promise<void> {
  await tabTo(page.getByRole('spinbutton', { name: 'Threshold' }));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(value);
}

async function showNeighbours(page: Page): Promise<void> {
  await press(page.getByRole('button', { name: 'Neighbours', exact: true }), { back: true });
}

async function compared(page: Page, rows: string): Promise<void> {
  await page.getByText(`${rows} rows compared.`).waitFor();
}

for (const { name, start } of weaviateServers) {
  journey(`rows near each other and far from all, by vector, tenant and filter, on ${name}`, async (at) => {
    const { page, app } = at;
    const server = await start();
    onTestFinished(() => server.stop());
    await seedSongs(app, server.port);
    await press(page.getByRole('button', { name: /^Cluster/ }));
    await page.getByRole('button', { name: 'Collection Songs', exact: true }).waitFor();
    await page.keyboard.type('Songs');
    await page.keyboard.press('Enter');
    await press(page.getByRole('list', { name: 'Tenants' }).getByRole('button').first());
    await gridOf(page, 'Rows of Songs').locator.waitFor();
    await showNeighbours(page);

    // Near duplicates: the same pairs as a look at every vector gives, at two thresholds.
    await compared(page, '38 of 40');
    await expect.poll(() => pairsShown(page)).toEqual(nearPairs('sound', 0.05));
    expect(nearPairs('sound', 0.05)).toEqual(expect.arrayContaining(['Song 04 Song 30', 'Song 05 Song 31']));
    await setThreshold(page, '0.1');
    await expect.poll(() => pairsShown(page)).toEqual(nearPairs('sound', 0.1));
    expect(nearPairs('sound', 0.1).length).toBeGreaterThan(nearPairs('sound', 0.05).length);

    // Rows far from all: the order and the distances of a look at every vector.
    await press(page.getByRole('button', { name: 'Far from all' }), { back: true });
    const far = [...nearestSongs('sound')]
      .map(([title, others]) => ({ title, distance: mean(others.slice(0, 5).map((one) => one.distance)) }))
      .sort((a, b) => b.distance - a.distance)
      .map(({ title, distance }) => `${title}${distance.toFixed(3)}`);
    const farList = entriesOf(page.getByRole('list', { name: 'Rows far from all others' }));
    // Copies are equally far, so their order is free.
    await expect.poll(async () => (await farList.allTextContents()).sort()).toEqual([...far].sort());
    const distances = (await farList.allTextContents()).map((text) => text.slice(-5));
    expect(distances).toEqual(far.map((text) => text.slice(-5)));

    // Rows without the vector.
    await press(page.getByRole('button', { name: 'No vector 2' }), { back: true });
    const without = entriesOf(page.getByRole('list', { name: 'Rows without this vector' }));
    await expect.poll(async () => (await without.allTextContents()).sort()).toEqual(['Song 38', 'Song 39']);

    // The other vector has other copies, and no row is without it.
    await press(page.getByRole('combobox', { name: 'Vector' }));
    await choose(page.getByRole('option', { name: 'vector: words' }));
    await compared(page, '40 of 40');
    await page.getByRole('button', { name: 'No vector 0' }).waitFor();
    await press(page.getByRole('button', { name: /^Near duplicates/ }), { back: true });
    await setThreshold(page, '0.02');
    await expect.poll(() => pairsShown(page)).toEqual(nearPairs('words', 0.02));
    expect(nearPairs('words', 0.02)).toContain('Song 07 Song 32');

    // The tab's filters hold here.
    await page.keyboard.press('ControlOrMeta+Shift+f');
    await tabTo(page.getByLabel('Column of filter 1'), { back: true });
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('kind');
    await choose(page.getByRole('option', { name: /^kind/ }));
    await tabTo(page.getByLabel('Value of filter 1'));
    await page.keyboard.type('live');
    await page.keyboard.press('Enter');
    await compared(page, '20 of 20');
    await setThreshold(page, '0.2');
    const live = songs.filter(({ kind }) => kind === 'live');
    await expect.poll(() => pairsShown(page)).toEqual(nearPairs('words', 0.2, live));
    expect(nearPairs('words', 0.2, live).length).toBeGreaterThan(0);
  });
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

journey('a pair side by side: what differs, opened, and marked for deletion by key', async ({ page }) => {
  await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
  await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
  await openTable(page, 'Mission');
  await page.keyboard.press('ControlOrMeta+p');
  await page.keyboard.type('Show neighbours');
  await choose(page.getByRole('option', { name: /Show neighbours/ }));
  await compared(page, '170 of 170');
  await page.getByText('No two rows are this near').waitFor();
  expect(await findings(page)).toEqual([]);
  await setThreshold(page, '0.25');
  const entries = entriesOf(pairList(page));
  await tabTo(entries.first());
  await page.keyboard.press('ArrowDown');
  const detail = page.getByRole('region', { name: 'What differs' });
  await detail.getByRole('rowheader', { name: 'description' }).waitFor();
  expect(await findings(page)).toEqual([]);
  const same = detail.getByRole('button', { name: /values are the same$/ });
  const before = await detail.getByRole('row').count();
  await press(same);
  await expect.poll(() => detail.getByRole('row').count()).toBeGreaterThan(before);

  // Delete marks the second row, Shift+Delete the first; Keep takes it back.
  await tabTo(entries.nth(1), { back: true });
  await page.keyboard.press('Delete');
  await page.getByText('1 deleted').waitFor();
  await detail.getByText('Marked for deletion').waitFor();
  await page.keyboard.press('Shift+Delete');
  await page.getByText('2 deleted').waitFor();
  await press(detail.getByRole('button', { name: /^Keep / }).first());
  await page.getByText('1 deleted').waitFor();
  await press(page.getByRole('button', { name: /^Mark all but one of each group/ }), { back: true });
  await expect.poll(() => page.getByText(/^\d+ deleted$/).textContent()).not.toBe('1 deleted');
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('ControlOrMeta+z');
  await page.getByText('1 deleted').waitFor();

  // A saved deletion is gone from the pairs.
  const pairs = await entries.count();
  await page.keyboard.press('ControlOrMeta+s');
  await compared(page, '169 of 169');
  await expect.poll(() => entries.count()).toBeLessThan(pairs);
  const opened = page.getByRole('button', { name: /^Open / }).first();
  const title = (await opened.getAttribute('aria-label'))!.slice('Open '.length);
  await press(opened);
  await expect.poll(() => gridOf(page, 'Rows of Mission').texts('name')).toEqual([title]);
});
