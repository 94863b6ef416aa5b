import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestApp } from './app.ts';
import { findings } from './axe.ts';
import { press } from './browser.ts';
import { journey, sharedJourney } from './journey.ts';

function write(app: TestApp, name: string, lines: string[]): string {
  const path = join(app.folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

async function openForm(page: Page, sample: RegExp, act: string): Promise<void> {
  await press(page.getByRole('button', { name: sample }));
  await press(page.locator('[data-home]').getByRole('button', { name: act }));
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
}

const request = (page: Page) => page.getByRole('region', { name: 'Statement' });
const dialog = (page: Page) => page.getByRole('dialog');

journey('a collection is made for a CSV file, and its rows are imported and found', async ({ app, page }) => {
  await openForm(page, /^Sample: Weaviate/, 'New collection');
  const lines = Array.from({ length: 60 }, (_, at) => `Film ${at},${1900 + (at % 100)},${at / 10},00${at}`);
  const file = write(app, 'my films.csv', ['title,year,rating,zip code', ...lines]);
  await page.getByLabel('File for the collection').setInputFiles(file);

  await page.getByText('my films.csv: 60 rows.').waitFor();
  await page.getByText('Its digits start with 0, so they stay text.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('My_films');
  await expect.poll(() => request(page).textContent()).toContain('"zip_code"');
  await expect.poll(() => request(page).textContent()).toContain('POST /schema');

  await press(page.getByRole('button', { name: 'Create and import' }));
  await dialog(page).getByText('60 stored of 60 rows').waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: /My_films/ }).waitFor();
  const found = await app.run(
    'query',
    'Sample: Weaviate',
    '{ Get { My_films(bm25: {query: "film", properties: ["title"]}, where: {path: ["year"], operator: Equal, valueInt: 1917}) { title zip_code rating } } }',
    '--json',
  );
  expect(found.stdout).toContain('Film 17');
  expect(found.stdout).toContain('0017');
});

sharedJourney(
  'a table is designed by keyboard alone: lines are added, moved and removed',
  async ({ page }) => {
    await openForm(page, /^Sample: SQLite/, 'New table');
    await press(page.getByRole('textbox', { name: 'Name', exact: true }), { key: 'Space' });
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('visits');
    await press(page.getByRole('button', { name: 'Add column' }));
    await page.keyboard.type('id');
    await page.keyboard.press('Enter');
    await page.keyboard.type('place');
    await page.keyboard.press('Enter');
    await page.keyboard.type('left out');
    await page.keyboard.press('ControlOrMeta+Backspace');
    await page.keyboard.press('Alt+ArrowUp');
    await expect
      .poll(() => request(page).textContent())
      .toBe('CREATE TABLE visits (\n  place TEXT,\n  id TEXT\n);');
    await page.keyboard.press('Alt+ArrowDown');
    await press(page.getByRole('checkbox', { name: 'Key of id' }), { key: 'Space', back: true });
    await expect.poll(() => request(page).textContent()).toContain('id TEXT PRIMARY KEY');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('button', { name: 'Table visits', exact: true }).waitFor();
    await page.getByRole('tab', { name: /visits/ }).waitFor();
  },
);

sharedJourney(
  'a problem stands at its field, and nothing is sent until it is corrected',
  async ({ page }) => {
    await openForm(page, /^Sample: SQLite/, 'New table');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await press(name, { key: 'Space' });
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('planets');
    await page.getByText('The table planets exists already.').first().waitFor();
    await press(page.getByRole('button', { name: 'Add column' }));
    await page.getByText('Give the column a name.').waitFor();
    expect(await page.getByRole('button', { name: 'Create table' }).getAttribute('aria-disabled')).toBe(
      'true',
    );
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.reload();
    // The draft is kept.
    await expect.poll(() => name.inputValue()).toBe('planets');
  },
);
