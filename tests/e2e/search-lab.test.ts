import { randomUUID } from 'node:crypto';
import type { CountRequest } from '@trestle/driver-kit';
import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { findingsInBothThemes as findings } from './axe.ts';
import { choose, press, tabTo } from './browser.ts';
import { addFilter } from './filter.ts';
import { gridOf } from './grid.ts';
import { holdSearches } from './held-searches.ts';
import { journey, openTable, refusedRequest, sharedJourney } from './journey.ts';
import { readRecords } from './stored-records.ts';

async function openLab(page: Page, collection: string): Promise<void> {
  await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
  await page.getByRole('button', { name: `Collection ${collection}`, exact: true }).waitFor();
  await openTable(page, collection);
  await press(page.getByRole('button', { name: 'Compare', exact: true }), { back: true });
  await page.getByRole('textbox', { name: 'Query to compare' }).waitFor();
}

async function ask(page: Page, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  const query = page.getByRole('textbox', { name: 'Query to compare' });
  await expect.poll(() => query.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.insertText(text);
}

const resultsOf = (page: Page, column: RegExp) => page.getByRole('list', { name: column });
const rowsOf = (page: Page, column: RegExp) => resultsOf(page, column).locator('li[data-key] > button');
const titles = (page: Page, column: RegExp) => rowsOf(page, column).locator('[data-title]').allTextContents();
const metric = (page: Page, column: RegExp) =>
  page.locator('dl').filter({ hasText: 'nDCG' }).and(page.getByLabel(column));

sharedJourney(
  'one query in three searches: ranks, overlap, alpha, reasons, and rows that only one search found',
  async ({ page }) => {
    await openLab(page, 'Mission');
    await ask(page, 'ion engine');
    await expect
      .poll(async () => (await titles(page, /Results of Keyword/)).slice(0, 2).sort())
      .toEqual(['Deep Space 1', 'SMART-1']);
    await rowsOf(page, /Results of Near text/)
      .nth(7)
      .waitFor();
    await page
      .getByText(/^\d of 8$/)
      .first()
      .waitFor();
    expect(await page.locator('svg path').count()).toBeGreaterThan(8);
    expect(await findings(page)).toEqual([]);

    // The hybrid search follows alpha. At 1 it equals the search by meaning. At 0 it has the first row of the
    // keyword search.
    const slider = page.getByRole('slider', { name: 'Weight of the vector' });
    await tabTo(slider);
    await page.keyboard.press('End');
    await resultsOf(page, /Results of Hybrid 1\.00/).waitFor();
    await expect
      .poll(() => titles(page, /Results of Hybrid/))
      .toEqual(await titles(page, /Results of Near text/));
    await page.keyboard.press('Home');
    await expect
      .poll(async () => (await titles(page, /Results of Hybrid 0\.00/))[0])
      .toBe((await titles(page, /Results of Keyword/))[0]);

    // A row that only one column found is marked “Only here”.
    await page.getByText('Only here').first().waitFor();

    // Enter chooses a row. The columns that found the row highlight it, and a text says why the row was found.
    // ArrowRight moves to the next column.
    await tabTo(rowsOf(page, /Results of Keyword/).first());
    const countedWords: unknown[] = [];
    const noteCount = (request: Request) => {
      if (!request.url().includes('/tables.count')) return;
      const { filters } = request.postDataJSON().request as CountRequest;
      countedWords.push(...filters.map(({ value }) => value));
    };
    page.on('request', noteCount);
    await page.keyboard.press('Enter');
    const why = page.getByRole('region', { name: /^Why .* is found$/ });
    await why.waitFor();
    expect(await why.textContent()).toMatch(/rank 1 → 1 → /);
    expect(await why.locator('dt').allTextContents()).toEqual(expect.arrayContaining(['ion', 'engine']));
    await why
      .getByText(/^in \d+ of 170 rows$/)
      .nth(1)
      .waitFor();
    // How rare a word is, is requested once, and only for a row whose reasons are open.
    expect([...new Set(countedWords)].sort()).toEqual(['engine', 'ion']);
    page.off('request', noteCount);
    expect(await page.locator('li[data-chosen]').count()).toBeGreaterThanOrEqual(2);
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => page.locator(':focus').evaluate((row) => row.closest('ol')?.getAttribute('aria-label')))
      .toMatch(/Hybrid/);
    expect(await findings(page)).toEqual([]);
  },
);

sharedJourney(
  'a setting that the collection does not support is disabled, and a column shows its settings as text',
  async ({ page }) => {
    await openLab(page, 'Species');
    await ask(page, 'birds that cannot fly');
    await rowsOf(page, /Results of Near text/)
      .nth(7)
      .waitFor();
    await press(page.getByRole('button', { name: 'Settings of Near text' }));
    const settings = page.getByRole('dialog', { name: 'Settings of Near text' });
    await settings.waitFor();
    await settings.getByText('The collection has no reranker module').waitFor();
    expect(await settings.getByRole('combobox', { name: 'Rerank by' }).isDisabled()).toBe(true);
    await press(settings.getByRole('combobox', { name: 'Autocut' }));
    await choose(page.getByRole('option', { name: 'The first' }));
    await page.getByText('autocut 1').waitFor();
    await tabTo(settings.getByRole('checkbox', { name: 'habitat' }), { back: true });
    await page.keyboard.press('Space');
    await page.getByText('distance by description + habitat').waitFor();
    await press(settings.getByRole('combobox', { name: 'Group by' }));
    await choose(page.getByRole('option', { name: 'group', exact: true }));
    await resultsOf(page, /Results of Near text/)
      .getByText('bird', { exact: true })
      .waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await settings.waitFor({ state: 'detached' });

    await press(page.getByRole('button', { name: 'Settings of Keyword' }), { back: true });
    const words = page.getByRole('dialog', { name: 'Settings of Keyword' });
    await tabTo(words.getByRole('spinbutton', { name: 'Weight of description' }));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('3');
    await page.getByText('description × 3').waitFor();
    await page.keyboard.press('Escape');

    // A column's search is shown as code, in two of the languages that the driver can write.
    await press(page.getByRole('button', { name: /^Show Hybrid 0\.75 as code/ }));
    const code = page.getByRole('dialog', { name: 'Hybrid 0.75 as code' });
    await code.getByRole('region', { name: 'Connect' }).filter({ hasText: 'hybridSearch' }).waitFor();
    await press(code.getByRole('button', { name: 'Python' }));
    await code
      .getByRole('region', { name: 'Python' })
      .filter({ hasText: 'collection.query.hybrid(' })
      .waitFor();
    expect(await findings(page)).toEqual([]);
  },
);

sharedJourney(
  'an error affects only its column, and rows found without a query cannot be marked',
  async ({ page }) => {
    await openLab(page, 'Mission');
    await ask(page, 'moon');
    await rowsOf(page, /Results of Keyword/)
      .first()
      .waitFor();
    await press(page.getByRole('button', { name: 'Add a column' }));
    const vector = page.getByRole('textbox', { name: 'Vector of Near vector' });
    await tabTo(vector);
    await page.getByText('Expected a JSON array of numbers such as [0.1, -2, 3].').waitFor();
    await page.keyboard.insertText('[1, 2]');
    await page.getByRole('alert').filter({ hasText: 'The vector has 2 dimensions' }).waitFor();
    expect(await rowsOf(page, /Results of Keyword/).count()).toBe(8);
    expect(await page.getByRole('alert').count()).toBe(1);

    // A vector finds rows without a query. A mark belongs to a query, so these rows cannot be marked.
    const words = await page.getByRole('alert').textContent();
    const length = Number(words?.match(/have (\d+)/)?.[1]);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(JSON.stringify(Array.from({ length }, (_, at) => at + 1)));
    const found = rowsOf(page, /Results of Near vector/);
    await found.first().waitFor();
    const marks = page.getByRole('button', { name: / is right$/, includeHidden: true });
    await expect.poll(() => marks.count()).toBeGreaterThan(0);
    await ask(page, 'm');
    await page.keyboard.press('Backspace');
    await expect.poll(() => marks.count()).toBe(0);
    await tabTo(found.first());
    await page.keyboard.press('r');
    await press(page.getByRole('button', { name: 'Query set' }), { back: true });
    const queries = page.getByRole('table', { name: 'Queries' });
    await queries.waitFor();
    expect(await queries.locator('tbody button').allTextContents()).not.toContain('');
  },
  { allow: refusedRequest },
);

journey(
  'a comparison is saved under a name, and is there after a restart',
  async ({ page, app }) => {
    await openLab(page, 'Mission');
    await ask(page, 'spacewalk');
    await press(page.getByRole('button', { name: 'Query set' }), { back: true });
    const queries = page.getByRole('table', { name: 'Queries' });
    await queries.waitFor();
    await press(page.getByRole('button', { name: 'Save comparison' }));
    await choose(page.getByRole('menuitem', { name: 'Save under a new name…' }));
    await tabTo(page.getByRole('textbox', { name: 'Name' }));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('Words against meaning');
    await page.keyboard.press('Enter');
    const saved = page.getByRole('button', { name: 'Words against meaning', exact: true });
    // The dialog returns the focus after it closes.
    await expect.poll(() => saved.evaluate((button) => button === document.activeElement)).toBe(true);
    // Saving does not leave the query set, whose run may still be going on.
    expect(await queries.count()).toBe(1);
    await press(page.getByRole('button', { name: 'One query' }), { back: true });
    await ask(page, 'moon');
    await page.getByRole('button', { name: 'Words against meaning (changed)' }).waitFor();
    // The query is stored a moment later.
    await expect.poll(() => JSON.stringify(readRecords(app.folder, 'tab/'))).toContain('moon');
    await app.stop();
    await app.start();
    await page.goto(await app.createLink());
    const text = page.getByRole('textbox', { name: 'Query to compare' });
    await expect.poll(() => text.inputValue()).toBe('moon');
    await press(page.getByRole('button', { name: 'Words against meaning (changed)' }));
    await choose(page.getByRole('menuitem', { name: 'Words against meaning', exact: true }));
    await expect.poll(() => text.inputValue()).toBe('spacewalk');
    await press(page.getByRole('button', { name: 'Words against meaning', exact: true }));
    await choose(page.getByRole('menuitem', { name: /^Rename/ }));
    await tabTo(page.getByRole('textbox', { name: 'Name' }));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('Renamed');
    await page.keyboard.press('Enter');
    await press(page.getByRole('button', { name: 'Renamed', exact: true }));
    await choose(page.getByRole('menuitem', { name: /^Delete/ }));
    await press(page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }));
    await page.getByRole('button', { name: 'Save comparison' }).waitFor();
  },
  { allow: /Failed to load resource|ERR_|not answering/ },
);

sharedJourney(
  'each column shows the metrics of a judged query, and how a change of alpha changes them',
  async ({ page }) => {
    await openLab(page, 'Mission');
    // The sample's own judged set knows the right rows of this query.
    await ask(page, 'ice at the poles of the Moon');
    const hybrid = /^Metrics of Hybrid/;
    await metric(page, hybrid).waitFor();
    await tabTo(page.getByRole('slider', { name: 'Weight of the vector' }));
    const before = await metric(page, hybrid).textContent();
    await page.keyboard.press('End');
    await expect.poll(() => metric(page, /^Metrics of Hybrid 1\.00/).textContent()).not.toBe(before);
    await expect.poll(() => metric(page, hybrid).textContent()).toMatch(/[+−]0\.\d\d/);

    // The keys R and W judge the rows of a new query.
    await ask(page, 'golf');
    await expect.poll(async () => (await titles(page, /Results of Keyword/))[0]).toBe('Apollo 14');
    await tabTo(rowsOf(page, /Results of Keyword/).first());
    // The second `down` is the repeat of a held key.
    await page.keyboard.down('r');
    await page.keyboard.down('r');
    await page.keyboard.up('r');
    await page.getByRole('button', { name: 'Apollo 14 is right', pressed: true }).first().waitFor();
    await expect.poll(() => metric(page, /^Metrics of Keyword/).textContent()).toContain('MRR1.00');
    await page.keyboard.press('w');
    await page.getByRole('button', { name: 'Apollo 14 is wrong', pressed: true }).first().waitFor();
    await metric(page, /^Metrics of Keyword/).waitFor({ state: 'detached' });
    // With Caps Lock on, the key gives a capital letter.
    await page.keyboard.press('R');
    await metric(page, /^Metrics of Keyword/).waitFor();

    await press(page.getByRole('button', { name: 'Query set' }), { back: true });
    await press(page.getByRole('button', { name: 'Run all' }));
    const means = page.getByRole('table', { name: 'Metrics of each column' });
    await means.waitFor();
    expect(await means.getByRole('row').count()).toBe(4);
    expect(await page.getByRole('table', { name: 'Queries' }).getByRole('row').count()).toBe(16);
    expect(await findings(page)).toEqual([]);

    // The run is stored. After a change of alpha, the next run shows the difference.
    await press(page.getByRole('button', { name: 'One query' }), { back: true });
    await tabTo(page.getByRole('slider', { name: 'Weight of the vector' }));
    await page.keyboard.press('Home');
    await press(page.getByRole('button', { name: 'Query set' }), { back: true });
    await press(page.getByRole('button', { name: 'Run all' }));
    await means.getByText('before: Hybrid 1.00').waitFor();
    expect(await means.textContent()).toMatch(/[+−]0\.\d\d/);

    const one = randomUUID();
    const file = {
      name: 'mine.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`query,id\nmoon,${one};${randomUUID()}\ngolf,${one}\n`),
    };
    await page.getByLabel('CSV of queries').setInputFiles(file);
    await page.getByText('2 queries imported').waitFor();
    await page.getByRole('button', { name: 'moon', exact: true }).waitFor();
    // The run measured “golf” for another set, so its metrics are not shown here.
    const golf = page.getByRole('table', { name: 'Queries' }).getByRole('row', { name: /golf/ });
    expect(await golf.textContent()).toBe('golf1–––');
    const broken = { ...file, buffer: Buffer.from('query,id\nmoon,\n') };
    await page.getByLabel('CSV of queries').setInputFiles(broken);
    await page.getByRole('alert').filter({ hasText: 'Line 2 has no id for “moon”' }).waitFor();
  },
);

sharedJourney('a cancelled run of a query set keeps no partial result', async ({ page }) => {
  await openLab(page, 'Mission');
  await press(page.getByRole('button', { name: 'Query set' }), { back: true });
  await page.getByRole('table', { name: 'Queries' }).waitFor();
  // With three columns, six searches answer two queries. The third query waits.
  const held = await holdSearches(page, 6);
  await press(page.getByRole('button', { name: 'Run all' }));
  await page.getByText(/^2 of \d+ queries$/).waitFor();
  await press(page.getByRole('button', { name: 'Cancel', exact: true }));
  await page.getByRole('button', { name: 'Run all' }).waitFor();
  const { asked } = held;
  held.release();
  expect(await page.getByRole('table', { name: 'Metrics of each column' }).count()).toBe(0);
  expect(held.asked).toBe(asked);
  await press(page.getByRole('button', { name: 'Run all' }));
  await page.getByRole('table', { name: 'Metrics of each column' }).waitFor();
});

sharedJourney(
  'the rows of a grid are shown as code with their filter and sort, and search results with the search and its filter',
  async ({ page }) => {
    await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
    await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
    await openTable(page, 'Mission');
    const grid = gridOf(page, 'Rows of Mission');
    await grid.focus();
    const code = page.getByRole('dialog', { name: 'Mission as code' });
    const textIn = async (language: string) => {
      await press(code.getByRole('button', { name: language, exact: true }));
      return code.getByRole('region', { name: language }).textContent();
    };
    const showCode = () => press(page.getByRole('button', { name: 'Show as code…' }), { back: true });
    const close = async () => {
      await page.keyboard.press('Escape');
      await code.waitFor({ state: 'detached' });
    };

    await showCode();
    const plain = await textIn('REST');
    expect(plain).toContain('/v1/objects?class=Mission');
    expect(plain).not.toContain('Bearer ey');
    await close();

    await addFilter(page, 'description', 'Moon', 1);
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => grid.header('name').getAttribute('aria-sort')).toBe('ascending');
    await showCode();
    const sorted = await textIn('REST');
    expect(sorted).toContain(
      '{"operator":"OPERATOR_LIKE","valueText":"*Moon*","target":{"property":"description"}}',
    );
    expect(sorted).toContain('"sortBy":[{"ascending":true,"path":["name"]}');
    const python = await textIn('Python');
    expect(python).toContain('Filter.by_property("description").like("*Moon*")');
    expect(python).toContain('sort=Sort.by_property("name", ascending=True)');
    await close();

    // A search orders its results itself, so its code has no sort.
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('dust');
    await page.keyboard.press('Enter');
    await page.getByText('Search results for “dust”').waitFor();
    await showCode();
    const searched = await textIn('TypeScript');
    expect(searched).toContain('collection.query.nearText("dust"');
    expect(searched).toContain('filters: collection.filter.byProperty("description").like("*Moon*")');
    expect(searched).not.toContain('sort');
    expect(await findings(page)).toEqual([]);
  },
);
