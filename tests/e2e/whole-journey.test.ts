import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { choose, press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { journey } from './journey.ts';

const imported = 500;
const dialog = (page: Page) => page.getByRole('dialog');
const unsaved = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' });

/** The total number of rows that the grid's footer shows. */
async function total(page: Page): Promise<number> {
  const place = page.getByRole('status').filter({ hasText: /^\d[\d,–]* of [\d,]+/ });
  const text = (await place.first().textContent()) ?? '';
  return Number(/of ([\d,]+)/.exec(text)?.[1]?.replaceAll(',', ''));
}

/** A user's first day: many features, one after the other, in the same window. */
journey(
  'from the first start to the next start: search, edit, filter, query, import, copy, export, restart',
  async ({ app, page }) => {
    const grid = gridOf(page, 'Rows of Species');

    // The welcome screen offers a search that opens the sample.
    await press(page.getByRole('button', { name: /hot, dry places/ }), { back: true });
    await page.getByText('Search results for “hot, dry places”').waitFor();
    await expect.poll(async () => (await grid.texts('commonName')).slice(0, 5)).toContain('Dromedary');

    // The row inspector shows a row with its vector.
    await grid.focus();
    await page.keyboard.press('Alt+i');
    const inspector = page.getByRole('complementary', { name: 'Row inspector' });
    await inspector
      .getByText(/\d+ dimensions/)
      .first()
      .waitFor();
    await page.keyboard.press('Alt+i');
    await inspector.waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.press('Escape');
    await expect.poll(() => grid.header('distance').count()).toBe(0);
    const before = await total(page);
    expect(before).toBeGreaterThan(50);

    // Edit, paste, duplicate, delete, undo, save.
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('Renamed once');
    await page.keyboard.press('Enter');
    await unsaved(page).getByText('1 edited').waitFor();
    await page.evaluate(() => navigator.clipboard.writeText('Pasted first\nPasted second\n'));
    await grid.focused();
    await page.keyboard.press('ControlOrMeta+v');
    await unsaved(page).getByText('3 edited').waitFor();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ControlOrMeta+Shift+d');
    await unsaved(page).getByText('3 edited, 1 new').waitFor();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('Delete');
    await unsaved(page).getByText('3 edited, 1 new, 1 deleted').waitFor();
    await page.keyboard.press('ControlOrMeta+z');
    await unsaved(page).getByText('3 edited, 1 new', { exact: true }).waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await unsaved(page).waitFor({ state: 'detached' });
    await expect.poll(() => total(page)).toBe(before + 1);

    // A filter finds the renamed row and its duplicate. The cursor goes back to the left first, because a grid that is
    // scrolled to the right does not draw the column commonName.
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ControlOrMeta+Shift+f');
    await tabTo(page.getByLabel('Column of filter 1'), { back: true });
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('commonName');
    await choose(page.getByRole('option', { name: /^commonName/ }));
    await tabTo(page.getByLabel('Value of filter 1'));
    await page.keyboard.type('Renamed once');
    await page.keyboard.press('Enter');
    await page.getByText('1–2 of 2').waitFor();
    await expect.poll(() => grid.texts('commonName')).toEqual(['Renamed once', 'Renamed once']);
    const chip = page.getByRole('button', { name: /^Edit filter 1: commonName .*Renamed once$/ });
    await chip.waitFor();

    await page.keyboard.press('Alt+s');
    await page
      .getByRole('region', { name: 'Structure of Species' })
      .getByText('commonName')
      .first()
      .waitFor();
    await page.keyboard.press('Alt+s');
    await grid.locator.waitFor();

    // The editor runs GraphQL and REST. The query is saved.
    await page.keyboard.press('Alt+n');
    const editor = page.getByRole('textbox', { name: 'Query 1', exact: true });
    const write = async (text: string) => {
      await editor.focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(text);
      await page.keyboard.press('ControlOrMeta+Enter');
    };
    await editor.waitFor();
    await write('{ Get { Species(limit: 2) { commonName } } }');
    await expect.poll(async () => (await gridOf(page, 'Species').texts('commonName')).length).toBe(2);
    await write('GET /schema/Species');
    const results = page.getByRole('region', { name: 'Results' });
    await expect.poll(() => results.getByRole('status').textContent()).toMatch(/^HTTP 200/);
    await editor.focus();
    await page.keyboard.press('ControlOrMeta+s');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.waitFor();
    await name.fill('Schema of species');
    await page.keyboard.press('Enter');
    const saved = page
      .getByRole('region', { name: 'Saved queries' })
      .getByRole('button', { name: 'Schema of species', exact: true });
    await saved.waitFor();
    // While a dialog is open, most shortcuts do nothing.
    await dialog(page).waitFor({ state: 'detached' });

    // Rows are imported from a file.
    await page.keyboard.press('Alt+1');
    await grid.locator.waitFor();
    const file = join(app.folder, 'more.csv');
    const lines = Array.from({ length: imported }, (_, row) => `Imported ${row}`);
    writeFileSync(file, `commonName\n${lines.join('\n')}\n`);
    await grid.focus();
    await press(page.getByRole('button', { name: 'Import…' }), { back: true });
    await page.getByRole('button', { name: 'Choose file…' }).waitFor();
    await page.getByLabel('File to import').setInputFiles(file);
    await press(dialog(page).getByRole('button', { name: /^Import \d/ }));
    await dialog(page).getByText(`${imported} stored of ${imported} rows`).waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });

    // The collection is copied to another name.
    await page.getByRole('button', { name: 'Collection Species', exact: true }).focus();
    await page.keyboard.press('Shift+F10');
    await choose(page.getByRole('menuitem', { name: 'Copy to…' }));
    await tabTo(dialog(page).getByLabel('Name'));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('SpeciesCopy');
    await press(dialog(page).getByRole('button', { name: 'Copy', exact: true }));
    await dialog(page).getByText('The copy is done.').waitFor();
    const rows = (before + 1 + imported).toLocaleString('en');
    await dialog(page).getByText(`Checked: ${rows} rows in the copy`).waitFor();
    await press(dialog(page).getByRole('button', { name: 'Close' }).first());
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Collection SpeciesCopy', exact: true }).waitFor();

    // The collection is exported to a file.
    await grid.focus();
    await press(page.getByRole('button', { name: 'Export…' }), { back: true });
    await press(dialog(page).getByRole('combobox', { name: 'Rows' }));
    await choose(page.getByRole('option', { name: 'All rows' }));
    await press(dialog(page).getByRole('combobox', { name: 'Format' }));
    await choose(page.getByRole('option', { name: /^JSON lines/ }));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      press(dialog(page).getByRole('button', { name: 'Export', exact: true })),
    ]);
    const exported = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(exported).toHaveLength(before + 1 + imported);
    expect(exported.filter((line) => line.includes('Renamed once'))).toHaveLength(2);

    // After a restart, the window shows the tabs and the filter again.
    await page.goto('about:blank');
    await app.stop();
    await app.start();
    await page.goto(await app.createLink());
    await chip.waitFor();
    await expect.poll(() => grid.texts('commonName')).toEqual(['Renamed once', 'Renamed once']);
    expect(await page.getByRole('tab', { name: 'Species', exact: true }).getAttribute('aria-selected')).toBe(
      'true',
    );
    await page.getByRole('tab', { name: 'Schema of species' }).waitFor();
    await saved.waitFor();
  },
  {
    permissions: ['clipboard-read', 'clipboard-write'],
    acceptDownloads: true,
    // This journey takes much longer than most others.
    timeoutMs: 600_000,
  },
);
