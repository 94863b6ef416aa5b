import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { choose, press, tabTo } from './browser.ts';
import { sharedJourney } from './journey.ts';
import { openMissions } from './missions.ts';
import { openOwnTable } from './own-table.ts';

/** If a view treats this text as HTML, the test fails, whether the script runs or the content policy blocks it. */
const hostile = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>';

/** The map can name a cluster by a short value, in lower case. These values are short and in lower case. */
const kinds = ['<img src=x>', '<b><img src=x></b>', '<script>ran</script>'];

const traces = (page: Page) =>
  page.evaluate(() => ({ ran: 'ran' in window, images: document.querySelectorAll('img[src="x"]').length }));
const none = { ran: false, images: 0 };

sharedJourney('HTML in the change list, in find, in an import and on a map stays text', async (at) => {
  const { app, page } = at;
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const count = `count ${hostile}`;
  const { grid } = await openOwnTable(at, 'things', (db) => {
    const columns = `id INTEGER PRIMARY KEY, ${quoted(hostile)} TEXT, ${quoted(count)} INTEGER`;
    db.exec(`CREATE TABLE things (${columns})`);
    db.prepare("INSERT INTO things VALUES (1, ?, 1), (2, 'plain', 2)").run(hostile);
    db.exec(`CREATE TABLE points (id INTEGER PRIMARY KEY, title TEXT, ${quoted(hostile)} TEXT, embedding)`);
    const insert = db.prepare('INSERT INTO points VALUES (?, ?, ?, ?)');
    for (let index = 0; index < 120; index++) {
      const kind = index % kinds.length;
      const vector = Array.from({ length: 8 }, (_, at) => (at === kind ? 1 : 0.1 * Math.sin(index + at)));
      insert.run(index, `${hostile} ${index}`, kinds[kind]!, JSON.stringify(vector));
    }
  });
  await page.keyboard.press('ControlOrMeta+f');
  const bar = page.getByRole('search', { name: 'Find in this page' });
  await bar.getByRole('textbox').waitFor();
  await page.keyboard.insertText(hostile);
  await bar.getByText('1 of 1').waitFor();
  await page.keyboard.press('Escape');
  await bar.waitFor({ state: 'detached' });
  await grid.focused();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type(`new ${hostile}`);
  await page.keyboard.press('Enter');
  await page.getByText('1 edited').waitFor();

  await press(page.getByRole('button', { name: 'Review changes' }));
  const list = page.getByRole('dialog', { name: 'Staged changes' });
  await list.getByRole('button', { name: hostile, exact: true }).waitFor();
  // The list cuts a long value. The tooltip shows more of the value.
  await list.getByTitle(hostile, { exact: true }).waitFor();
  await list.getByTitle(`new ${hostile}`, { exact: true }).waitFor();
  expect(await list.locator('del').textContent()).toMatch(/^<img src=x/);
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await press(page.getByRole('button', { name: 'Discard' }), { back: true });
  await page.getByText('1 edited').waitFor({ state: 'detached' });

  const file = join(app.folder, 'hostile.csv');
  const field = quoted(hostile);
  writeFileSync(file, `id,${field},${quoted(count)}\n3,${field},7\n4,${field},${field}\n`);
  await press(page.getByRole('button', { name: 'Import…' }));
  await page.getByLabel('File to import').setInputFiles(file);
  const dialog = page.getByRole('dialog');
  await page.getByRole('combobox', { name: `Column for ${hostile}`, exact: true }).waitFor();
  await dialog.getByText('1 of 2').waitFor();
  await expect.poll(() => dialog.textContent()).toContain('<img src=x');
  await press(dialog.getByRole('button', { name: /^Import \d/ }));
  await dialog.getByText('1 stored, 1 failed of 2 rows').waitFor();
  await dialog.getByText('Line 3').waitFor();
  await expect.poll(() => dialog.textContent()).toContain(count);
  expect(await traces(page)).toEqual(none);
  await press(dialog.getByRole('button', { name: 'Close' }).first());
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Table points', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('grid', { name: 'Rows of points' }).waitFor();
  await press(page.getByRole('button', { name: 'Map', exact: true }), { back: true });
  const map = page.getByRole('application', { name: /^Map of 120 rows of points/ });
  // The map shows the names of clusters, and the name of the point at the cursor.
  for (const kind of kinds) await map.getByText(kind, { exact: true }).waitFor();
  await map.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page
    .getByText(/^<img src=x onerror="window.ran=1">.* \d+$/)
    .first()
    .waitFor();
  // The legend shows the values of the column.
  await press(page.getByRole('combobox', { name: 'Colour by' }), { back: true });
  await choose(page.getByRole('option', { name: `Colour: ${hostile}`, exact: true }));
  for (const kind of kinds) await page.getByRole('button', { name: `${kind} 40`, exact: true }).waitFor();
  expect(await traces(page)).toEqual(none);
});

sharedJourney(
  'HTML in Compare, on the map and in the inspector stays text',
  async ({ page }) => {
    await openMissions(page);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type(hostile);
    await page.keyboard.press('Enter');
    await page.getByText('1 edited').waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('1 edited').waitFor({ state: 'detached' });

    await press(page.getByRole('button', { name: 'Compare', exact: true }), { back: true });
    const query = page.getByRole('textbox', { name: 'Query to compare' });
    await tabTo(query);
    await page.keyboard.insertText(hostile);
    const keyword = page.getByRole('list', { name: /Results of Keyword/ });
    await keyword.locator('[data-title]', { hasText: '<img src=x' }).first().waitFor();
    // Tab reaches only one row of a list, so the test sets the focus itself.
    await keyword.locator('li[data-key] > button').filter({ hasText: '<img src=x' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: /^Why <img src=x.* is found$/s }).waitFor();
    expect(await traces(page)).toEqual(none);

    await press(page.getByRole('button', { name: 'Map', exact: true }), { back: true });
    await page.getByText('170 points').waitFor();
    const map = page.getByRole('application', { name: /^Map of 170 rows of Mission/ });
    await tabTo(page.getByRole('textbox', { name: 'Search by meaning' }), { back: true });
    await page.keyboard.insertText(hostile);
    await page.keyboard.press('Enter');
    await map.getByText('your query').waitFor();
    const disc = (await map.locator('circle').first().boundingBox())!;
    await page.mouse.click(disc.x + disc.width / 2, disc.y + disc.height / 2);
    const card = page.getByRole('region', { name: /^Row <img src=x/ });
    await expect.poll(() => card.getByRole('heading').textContent()).toContain('<img src=x');
    const inspector = page.getByRole('complementary', { name: 'Row inspector' });
    await inspector.getByText(hostile).first().waitFor();
    expect(await traces(page)).toEqual(none);
  },
  { allow: /The mouse was used/ },
);
