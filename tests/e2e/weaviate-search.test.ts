import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { choose, press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { type Journey, openTable, refusedRequest } from './journey.ts';
import { missions, openCluster, sharedWeaviateJourney, useWeaviate, uuidOf } from './weaviate-journey.ts';

const weaviate = useWeaviate();
const note = (page: Page) => page.getByRole('status').filter({ hasText: /^(Search results|Similar)/ });

/** Opens the missions and searches them for spacecraft. Returns the grid of the results. */
async function openSearched(journey: Journey) {
  const { page } = journey;
  await openCluster(journey, weaviate.port);
  await openTable(page, 'Missions');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('spacecraft');
  await page.keyboard.press('Enter');
  await note(page).filter({ hasText: 'Search results for “spacecraft”' }).waitFor();
  return gridOf(page, 'Rows of Missions');
}

sharedWeaviateJourney(
  'the user searches by meaning and by words, filters search results, and finds similar objects',
  async (journey) => {
    const { page } = journey;
    const grid = await openSearched(journey);
    const found = await grid.texts('title');
    expect(found.slice(0, 3).sort()).toEqual(['Apollo 11', 'Hubble', 'Voyager 1']);
    const distances = (await grid.texts('distance')).map(Number);
    expect(distances).toEqual([...distances].sort((a, b) => a - b));

    await page.keyboard.press('ControlOrMeta+Shift+f');
    await tabTo(page.getByLabel('Column of filter 1'), { back: true });
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('year');
    await choose(page.getByRole('option', { name: 'year' }));
    await tabTo(page.getByLabel('Value of filter 1'));
    await page.keyboard.type('1977');
    await page.keyboard.press('Enter');
    await expect.poll(() => grid.texts('title')).toEqual(['Voyager 1']);
    await press(page.getByRole('button', { name: 'Remove filter 1' }), { back: true });
    await expect.poll(() => grid.texts('title')).toHaveLength(missions.length);

    await page.reload();
    await note(page).waitFor();
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.press('Escape');
    await note(page).waitFor({ state: 'detached' });
    await expect.poll(() => grid.header('distance').count()).toBe(0);

    await tabTo(page.getByRole('combobox', { name: 'Kind of search' }), { back: true });
    await page.keyboard.press('Enter');
    await choose(page.getByRole('option', { name: 'Keyword' }));
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('telescope');
    await page.keyboard.press('Enter');
    await expect.poll(() => grid.texts('title')).toEqual(['Hubble']);
    await expect.poll(() => grid.header('score').count()).toBe(1);

    await grid.focus();
    await page.keyboard.press('ControlOrMeta+e');
    await note(page)
      .filter({ hasText: `Similar to ${uuidOf(2)}` })
      .waitFor();
    await expect.poll(async () => (await grid.texts('title'))[0]).toBe('Hubble');
    await press(page.getByRole('button', { name: 'Clear search' }));
    await page.getByText('1–5 of 5').waitFor();
  },
);

sharedWeaviateJourney(
  "while search results are shown, a save's connection error disappears when the connection works again",
  async (journey) => {
    const { page } = journey;
    const grid = await openSearched(journey);
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('Delete');
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    await bar.getByText('1 deleted').waitFor();
    await page.route('**/data/applyChanges', (route) => route.abort());
    await page.keyboard.press('ControlOrMeta+s');
    await bar.getByRole('alert').waitFor();
    await bar.getByRole('alert').waitFor({ state: 'detached' });
    await bar.getByText('1 deleted').waitFor();
    await page.unroute('**/data/applyChanges');
  },
  { allow: /Failed to load resource/ },
);

sharedWeaviateJourney(
  'a search that cannot run shows why, and no rows',
  async (journey) => {
    const { page } = journey;
    await openCluster(journey, weaviate.port);
    await openTable(page, 'Missions');
    await tabTo(page.getByRole('combobox', { name: 'Kind of search' }), { back: true });
    await page.keyboard.press('Enter');
    await choose(page.getByRole('option', { name: 'Near vector' }));
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('[1, 2');
    await page.keyboard.press('Enter');
    await page.getByText('Expected a JSON array of numbers').waitFor();
    await page.keyboard.type(']');
    await page.keyboard.press('Enter');
    await page
      .getByRole('search')
      .getByRole('alert')
      .filter({ hasText: /dimension|length/i })
      .waitFor();
    await page.getByText('The search did not run').waitFor();
    expect(await gridOf(page, 'Rows of Missions').locator.count()).toBe(0);
    await press(page.getByRole('button', { name: 'Clear search' }));
    await expect.poll(() => gridOf(page, 'Rows of Missions').texts('title')).toHaveLength(missions.length);
  },
  { allow: refusedRequest },
);

sharedWeaviateJourney(
  'the editor runs GraphQL and REST, and asks before a DELETE',
  async (journey) => {
    const { page } = journey;
    await openCluster(journey, weaviate.port);
    await page.keyboard.press('Alt+n');
    const editor = page.getByRole('textbox', { name: 'Query 1' });
    await editor.waitFor();
    const results = page.getByRole('region', { name: 'Results' });
    const run = async (text: string) => {
      await expect.poll(() => editor.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(text);
      await page.keyboard.press('ControlOrMeta+Enter');
    };
    await run(
      '{ Get { Missions(limit: 2, sort: { path: "year", order: asc }) { title _additional { id } } all: Missions { year } } }',
    );
    await results.getByRole('tab', { name: 'all' }).waitFor();
    const grid = gridOf(page, 'Missions');
    await expect.poll(() => grid.texts('title')).toEqual(['Violin', 'Honey bee']);
    await expect.poll(() => grid.texts('uuid')).toEqual([uuidOf(3), uuidOf(4)]);

    await run('{ Aggregate { Missions { meta { count } } } }');
    await expect
      .poll(() => results.getByRole('region', { name: 'Document' }).textContent())
      .toContain('"count": 5');
    await run('{ Get { Missions { titel } } }');
    await results.getByText('Missions has no property "titel"').waitFor();

    await run('# the collections\nGET /schema/Missions\n\nDELETE /schema/Nothing');
    const question = page.getByRole('alertdialog', { name: 'Run this destructive statement?' });
    await question.waitFor();
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await run('GET /schema/Missions');
    await expect
      .poll(() => results.getByRole('region', { name: 'Document' }).textContent())
      .toContain('"class": "Missions"');
    expect(await page.locator('.cm-lintRange-error').count()).toBe(0);
  },
  { allow: refusedRequest },
);

sharedWeaviateJourney(
  'paging stops at row 10,000, and an export has all rows',
  async (journey) => {
    const { page, app } = journey;
    const total = 10_050;
    await weaviate.rest('POST', '/schema', {
      class: 'Many',
      vectorIndexType: 'flat',
      vectorizer: 'none',
      properties: [{ name: 'n', dataType: ['int'] }],
    });
    for (let start = 0; start < total; start += 1000) {
      const count = Math.min(1000, total - start);
      const objects = Array.from({ length: count }, (_, step) => ({
        class: 'Many',
        properties: { n: start + step },
      }));
      await weaviate.rest('POST', '/batch/objects', { objects });
    }
    await openCluster(journey, weaviate.port);
    await openTable(page, 'Many');
    await page.getByText('1–200 of 10,050').waitFor();
    await press(page.getByRole('button', { name: 'Last page' }));
    await page.getByText('9,801–10,000 of 10,050').waitFor();
    await press(page.getByRole('button', { name: 'Next page' }));
    const refusal = page.getByRole('alert').filter({ hasText: 'does not page past row 10,000' });
    await refusal.waitFor();
    await page.getByText('9,801–10,000 of 10,050').waitFor();
    await press(refusal.getByRole('button', { name: 'Export…' }), { back: true });
    const dialog = page.getByRole('dialog', { name: 'Export Many' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      press(dialog.getByRole('button', { name: 'Export', exact: true })),
    ]);
    await page.getByText('Exported 10,050 rows').waitFor();
    const file = join(app.folder, 'many.csv');
    await download.saveAs(file);
    expect(download.suggestedFilename()).toBe('Many.csv');
    const [header, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\r\n');
    expect(header).toBe('uuid,n');
    expect(new Set(lines.map((line) => Number(line.split(',')[1]))).size).toBe(total);
    expect(lines).toHaveLength(total);
  },
  { allow: refusedRequest },
);

sharedWeaviateJourney(
  'the user compares searches of a real server side by side, and judges a result',
  async (journey) => {
    const { page } = journey;
    await openCluster(journey, weaviate.port);
    await openTable(page, 'Missions');
    await press(page.getByRole('button', { name: 'Compare', exact: true }), { back: true });
    await page.getByRole('textbox', { name: 'Query to compare' }).waitFor();
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.insertText('rocket');
    const rows = (column: string) =>
      page.getByRole('list', { name: `Results of ${column}` }).locator('li[data-key] > button');
    await expect.poll(() => rows('Near text').count()).toBe(missions.length);
    await expect.poll(() => rows('Keyword').count()).toBe(1);
    expect(await rows('Keyword').locator('[data-title]').allTextContents()).toEqual(['Apollo 11']);
    await page.getByText('1 of 5').first().waitFor();

    await tabTo(rows('Hybrid 0.75').first());
    await page.keyboard.press('r');
    await page.keyboard.press('Enter');
    const why = page.getByRole('region', { name: 'Why Apollo 11 is found' });
    await why.waitFor();
    expect(await why.textContent()).toMatch(/rank 1 → 1 → 1.*0\.250 from words, 0\.750 from meaning/);
    await page.getByLabel('Metrics of Keyword at 8').getByText('1.00').first().waitFor();

    await press(page.getByRole('button', { name: 'Settings of Near text' }), { back: true });
    await press(page.getByRole('combobox', { name: 'Autocut' }));
    await choose(page.getByRole('option', { name: 'The first' }));
    await page
      .getByRole('list', { name: 'Results of Near text' })
      .getByText(/^cut here, \+0\.\d+$/)
      .waitFor();
  },
);
