import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { findingsInBothThemes as findings } from './axe.ts';
import { choose, press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { holdSearches } from './held-searches.ts';
import { openTable, sharedJourney } from './journey.ts';
import { openOwnTable } from './own-table.ts';
import { nearestSongs, nearPairs, seedSongs, songs } from './songs.ts';
import { journeyServer } from './weaviate-servers.ts';

const pairList = (page: Page) => page.getByRole('list', { name: 'Pairs of rows' });
const entriesOf = (list: Locator) => list.getByRole('button');

/** The two titles of each pair. Titles and pairs are in alphabetical order. */
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

async function runCommand(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+p');
  await page.getByRole('combobox', { name: 'Open anything' }).waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
}

async function compared(page: Page, rows: string): Promise<void> {
  await page.getByText(`${rows} rows compared.`).waitFor();
}

sharedJourney(
  `near and far rows are found by vector, tenant and filter, on ${journeyServer.name}`,
  async (at) => {
    const { page, app } = at;
    const server = await journeyServer.start();
    onTestFinished(() => server.stop());
    await seedSongs(app, server.port);
    await press(page.getByRole('button', { name: /^Cluster/ }));
    await page.getByRole('button', { name: 'Collection Songs', exact: true }).waitFor();
    await page.keyboard.type('Songs');
    await page.keyboard.press('Enter');
    await press(page.getByRole('list', { name: 'Tenants' }).getByRole('button').first());
    const grid = gridOf(page, 'Rows of Songs');
    await grid.locator.waitFor();

    // The inspector lists the nearest rows by either vector. Enter opens a row of the list.
    await grid.focus();
    await page.keyboard.press('Alt+i');
    const similar = page.getByRole('region', { name: 'Similar rows' });
    const nearest = similar.getByRole('list', { name: 'Nearest rows' }).getByRole('button');
    const shown = async () => (await nearest.allTextContents()).sort();
    await expect.poll(shown).toEqual(similarTo('Song 00', 'sound'));
    expect(await findings(page)).toEqual([]);
    await press(similar.getByRole('combobox', { name: 'Similar by' }));
    await choose(page.getByRole('option', { name: 'vector: words' }));
    await expect.poll(shown).toEqual(similarTo('Song 00', 'words'));
    await tabTo(nearest.first());
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const second = nearestSongs('words').get('Song 00')![1]!.title;
    await expect.poll(() => grid.texts('title')).toEqual([second]);
    await runCommand(page, 'Clear filters');
    await expect.poll(async () => (await grid.texts('title')).length).toBeGreaterThan(10);
    await page.keyboard.press('Alt+i');
    await showNeighbours(page);

    // At two thresholds, the near duplicates are the pairs that a comparison of all vectors gives.
    await compared(page, '38 of 40');
    await expect.poll(() => pairsShown(page)).toEqual(nearPairs('sound', 0.05));
    expect(nearPairs('sound', 0.05)).toEqual(expect.arrayContaining(['Song 04 Song 30', 'Song 05 Song 31']));
    await setThreshold(page, '0.1');
    await expect.poll(() => pairsShown(page)).toEqual(nearPairs('sound', 0.1));
    expect(nearPairs('sound', 0.1).length).toBeGreaterThan(nearPairs('sound', 0.05).length);

    // The rows far from all others have the distances that a comparison of all vectors gives.
    await press(page.getByRole('button', { name: 'Far from all' }), { back: true });
    const far = [...nearestSongs('sound')]
      .map(([title, others]) => ({ title, distance: mean(others.slice(0, 5).map((one) => one.distance)) }))
      .sort((a, b) => b.distance - a.distance)
      .map(({ title, distance }) => `${title}${distance.toFixed(3)}`);
    const farList = entriesOf(page.getByRole('list', { name: 'Rows far from all others' }));
    // Copies have the same distance, so their order may vary.
    await expect.poll(async () => (await farList.allTextContents()).sort()).toEqual([...far].sort());
    const distances = (await farList.allTextContents()).map((text) => text.slice(-5));
    expect(distances).toEqual(far.map((text) => text.slice(-5)));

    // Two rows lack the vector `sound`.
    await press(page.getByRole('button', { name: 'No vector 2' }), { back: true });
    const without = entriesOf(page.getByRole('list', { name: 'Rows without this vector' }));
    await expect.poll(async () => (await without.allTextContents()).sort()).toEqual(['Song 38', 'Song 39']);

    // By the vector `words`, different rows are copies, and every row has this vector.
    await press(page.getByRole('combobox', { name: 'Vector' }));
    await choose(page.getByRole('option', { name: 'vector: words' }));
    await compared(page, '40 of 40');
    await page.getByRole('button', { name: 'No vector 0' }).waitFor();
    await press(page.getByRole('button', { name: /^Near duplicates/ }), { back: true });
    await setThreshold(page, '0.02');
    await expect.poll(() => pairsShown(page)).toEqual(nearPairs('words', 0.02));
    expect(nearPairs('words', 0.02)).toContain('Song 07 Song 32');

    // The tab's filters apply in Neighbours too.
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
  },
);

sharedJourney('near rows of a SQLite table with vectors are found by an exact scan', async (at) => {
  const { page } = at;
  const { rows } = await openOwnTable(at, 'songs', (db) => {
    db.exec('CREATE TABLE songs (id INTEGER PRIMARY KEY, title TEXT, kind TEXT, sound BLOB)');
    const insert = db.prepare('INSERT INTO songs (title, kind, sound) VALUES (?, ?, ?)');
    for (const { title, kind, vectors } of songs) {
      insert.run(title, kind, vectors.sound ? bytesOf(vectors.sound) : null);
    }
  });
  await showNeighbours(page);
  await compared(page, '38 of 40');
  await page.getByText('Each row was compared with every other row').waitFor();
  await expect.poll(() => pairsShown(page)).toEqual(nearPairs('sound', 0.05));
  await page.getByRole('button', { name: 'No vector 2' }).waitFor();
  const copies = entriesOf(pairList(page)).filter({ hasText: 'Song 05' }).filter({ hasText: 'Song 31' });
  await tabTo(entriesOf(pairList(page)).first());
  while (!(await copies.evaluate((entry) => entry === document.activeElement))) {
    await page.keyboard.press('ArrowDown');
  }
  // The two rows differ in their titles. The list of differences leaves out keys and vectors.
  const detail = page.getByRole('region', { name: 'What differs' });
  await expect.poll(() => detail.getByRole('rowheader').allTextContents()).toEqual(['title']);
  await page.keyboard.press('Delete');
  await page.getByText('1 deleted').waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await compared(page, '37 of 39');
  expect(rows("SELECT title FROM songs WHERE title IN ('Song 05', 'Song 31')")).toEqual([
    { title: 'Song 05' },
  ]);

  // In the inspector, the row is compared with all others on demand.
  await press(page.getByRole('button', { name: 'Rows', exact: true }));
  const grid = gridOf(page, 'Rows of songs');
  await grid.focus();
  await page.keyboard.press('Alt+i');
  const similar = page.getByRole('region', { name: 'Similar rows' });
  await press(similar.getByRole('button', { name: 'Compare with every row' }));
  const nearest = similar.getByRole('list', { name: 'Nearest rows' }).getByRole('button');
  const left = songs.filter(({ title }) => title !== 'Song 31');
  await expect
    .poll(async () => (await nearest.allTextContents()).sort())
    .toEqual(similarTo('Song 00', 'sound', left));
});

function bytesOf(vector: number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(vector).buffer);
}

/** The eight nearest rows as the inspector writes them. Sorted by title, since the order of copies may vary. */
function similarTo(title: string, vector: string, among = songs): string[] {
  const nearest = nearestSongs(vector, among).get(title)!.slice(0, 8);
  return nearest.map((one) => `${one.title}${one.distance.toFixed(3)}`).sort();
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

sharedJourney('a cancelled comparison keeps its results and can start again', async ({ page }) => {
  await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
  await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
  await openTable(page, 'Mission');
  const held = await holdSearches(page, 40);
  await showNeighbours(page);
  await page.getByText('40 of 170 rows compared').waitFor();
  await press(page.getByRole('button', { name: 'Jobs, 1 running' }));
  const jobs = page.getByRole('list', { name: 'Jobs' }).getByRole('listitem');
  const job = jobs.filter({ hasText: 'Compare the rows' });
  await expect.poll(() => job.textContent()).toMatch(/Compare the rows of Mission.*40 of 170 rows compared/);
  await press(job.getByRole('button', { name: 'Cancel', exact: true }));
  await expect.poll(() => job.textContent()).toMatch(/Cancelled\./);
  await page.keyboard.press('Escape');
  await page.getByText('Cancelled. 40 of 170 rows compared.').waitFor();
  const { asked } = held;
  held.release();
  await setThreshold(page, '0.3');
  await entriesOf(pairList(page)).first().waitFor();
  const some = await entriesOf(pairList(page)).count();
  expect(held.asked).toBe(asked);
  await press(page.getByRole('button', { name: 'Compare again' }));
  await page.getByText(/^170 of 170 rows compared\./).waitFor();
  await expect.poll(() => entriesOf(pairList(page)).count()).toBeGreaterThan(some);
});

sharedJourney('a large table is compared only when the user asks', async (at) => {
  const { page } = at;
  await openOwnTable(at, 'songs', (db) => {
    db.exec('CREATE TABLE songs (id INTEGER PRIMARY KEY, title TEXT, sound TEXT)');
    const insert = db.prepare('INSERT INTO songs (title, sound) VALUES (?, ?)');
    db.exec('BEGIN');
    for (let row = 0; row < 1200; row++) {
      const angle = row * 0.37;
      insert.run(`Tune ${row}`, JSON.stringify([Math.sin(angle), Math.cos(angle), Math.sin(angle * 3), 1]));
    }
    db.exec('COMMIT');
  });
  await showNeighbours(page);
  await press(page.getByRole('button', { name: 'Compare 1,200 rows' }));
  await compared(page, '1,200 of 1,200');
  await page.getByText(/rows have 10 or more rows this near/).waitFor();
  expect(await findings(page)).toEqual([]);
});

sharedJourney(
  'a pair side by side: the user sees differences, opens a row, and marks a row for deletion by key',
  async ({ page }) => {
    await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
    await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
    await openTable(page, 'Mission');
    await runCommand(page, 'Show neighbours');
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

    // Delete marks the second row for deletion, Shift+Delete the first row. Keep removes a mark.
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

    // A pair disappears when the deletion of one of its rows is saved.
    const pairs = await entries.count();
    await page.keyboard.press('ControlOrMeta+s');
    await compared(page, '169 of 169');
    await expect.poll(() => entries.count()).toBeLessThan(pairs);
    const opened = detail.getByRole('button', { name: /^Open / }).first();
    const title = (await opened.getAttribute('aria-label'))!.slice('Open '.length);
    await press(opened);
    await expect.poll(() => gridOf(page, 'Rows of Mission').texts('name')).toEqual([title]);
  },
);
