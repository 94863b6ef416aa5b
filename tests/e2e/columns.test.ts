import type { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { choose, press } from './browser.ts';
import { gridOf } from './grid.ts';
import { openTable, sharedJourney } from './journey.ts';
import { openMissions } from './missions.ts';
import { openOwnTable } from './own-table.ts';

const byMouse = { allow: /The mouse was used/ };

const fill = (db: DatabaseSync) =>
  db.exec(`CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, stars INTEGER, place TEXT);
           INSERT INTO notes VALUES (1, 'b', 1, 'y'), (2, 'a', 1, 'x'), (3, 'a long title', 2, 'x');`);

/** The names in the headers, from left to right. */
const headers = (page: Page) =>
  page
    .locator('[data-header]')
    .evaluateAll((cells) =>
      cells
        .sort((a, b) => Number(a.getAttribute('data-header')) - Number(b.getAttribute('data-header')))
        .map((cell) => cell.getAttribute('aria-label')?.split(',')[0]),
    );

/** Opens the menu of the active header and chooses an entry. */
async function headerMenu(page: Page, entry: string): Promise<void> {
  await page.keyboard.press('Alt+ArrowDown');
  await choose(page.getByRole('menuitem', { name: entry, exact: true }));
}

sharedJourney(
  'by keys, columns are sorted, moved, pinned, hidden and shown again, and a reload keeps the layout',
  async (at) => {
    const { page } = at;
    const { grid } = await openOwnTable(at, 'notes', fill);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await headerMenu(page, 'Sort descending');
    await expect.poll(() => grid.texts('id')).toEqual(['3', '1', '2']);
    await grid.focused();
    await page.keyboard.press('ArrowLeft');
    await headerMenu(page, 'Then sort ascending, others kept');
    await expect.poll(() => grid.texts('id')).toEqual(['3', '2', '1']);
    await expect.poll(() => grid.header('title').getAttribute('aria-sort')).toBe('ascending');
    expect(await grid.header('stars').textContent()).toContain('1');
    expect(await grid.header('title').textContent()).toContain('2');

    await grid.focused();
    await headerMenu(page, 'Move right');
    await expect.poll(() => headers(page)).toEqual(['id', 'stars', 'title', 'place']);
    await grid.focused();
    await headerMenu(page, 'Pin column');
    await expect.poll(() => headers(page)).toEqual(['id', 'title', 'stars', 'place']);
    await grid.focused();
    await page.keyboard.press('ArrowRight');
    await headerMenu(page, 'Hide column');
    await expect.poll(() => headers(page)).toEqual(['id', 'title', 'place']);

    await page.reload();
    await grid.locator.waitFor();
    await expect.poll(() => headers(page)).toEqual(['id', 'title', 'place']);
    await expect.poll(() => grid.texts('id')).toEqual(['3', '2', '1']);

    await grid.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Alt+ArrowDown');
    await choose(page.getByRole('menuitem', { name: /^Columns…/ }));
    const dialog = page.getByRole('dialog', { name: 'Columns of notes' });
    await dialog.getByText('3 of 4 shown').waitFor();
    await press(dialog.getByRole('checkbox', { name: 'stars' }), { key: 'Space' });
    await dialog.getByText('4 of 4 shown').waitFor();
    await press(dialog.getByRole('button', { name: 'Reset columns' }));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => headers(page)).toEqual(['id', 'title', 'stars', 'place']);
  },
);

sharedJourney(
  'by mouse: the menu button, Shift+click for a second sort, dragging, and a double click that fits the width',
  async (at) => {
    const { page } = at;
    const { grid } = await openOwnTable(at, 'notes', fill);
    await grid.header('stars').click();
    await grid.header('title').click({ modifiers: ['Shift'] });
    await expect.poll(() => grid.texts('id')).toEqual(['2', '1', '3']);

    const from = (await grid.header('place').boundingBox())!;
    const to = (await grid.header('title').boundingBox())!;
    await page.mouse.move(from.x + 20, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 60, to.y + 10, { steps: 4 });
    await page.mouse.move(to.x + 6, to.y + 10, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => headers(page)).toEqual(['id', 'place', 'title', 'stars']);
    // A drag is not a click: the sort has not changed.
    expect(await grid.header('place').getAttribute('aria-sort')).toBe('none');

    const title = grid.header('title');
    const before = (await title.boundingBox())!;
    await page.mouse.move(before.x + before.width, before.y + 10);
    await page.mouse.down();
    await page.mouse.move(before.x + before.width + 200, before.y + 10, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await title.boundingBox())!.width).toBeGreaterThan(before.width + 150);
    const wide = (await title.boundingBox())!;
    await page.mouse.dblclick(wide.x + wide.width, wide.y + 10);
    await expect.poll(async () => (await title.boundingBox())!.width).toBeLessThan(wide.width - 100);

    await title.hover();
    await page.getByRole('button', { name: 'Menu of title' }).click();
    await page.getByRole('menuitem', { name: 'Hide column' }).click();
    await expect.poll(() => headers(page)).toEqual(['id', 'place', 'stars']);
  },
  byMouse,
);

sharedJourney(
  'if the browser cancels the drag of a column’s edge, the old width returns, and later moves change nothing',
  async (at) => {
    const { page } = at;
    const { grid } = await openOwnTable(at, 'notes', fill);
    const title = grid.header('title');
    const width = async () => (await title.boundingBox())!.width;
    const before = (await title.boundingBox())!;
    await page.mouse.move(before.x + before.width, before.y + 10);
    await page.mouse.down();
    await page.mouse.move(before.x + before.width + 120, before.y + 10, { steps: 4 });
    await expect.poll(width).toBeGreaterThan(before.width + 100);
    await title.locator('[data-resize]').dispatchEvent('pointercancel', { bubbles: true });
    await expect.poll(width).toBe(before.width);
    await page.mouse.move(before.x + before.width + 60, before.y + 10, { steps: 4 });
    await page.mouse.up();
    expect(await width()).toBe(before.width);
  },
  byMouse,
);

sharedJourney(
  'the summary of a column shows how often its values occur and its range, and a bar becomes a filter',
  async (at) => {
    const { page } = at;
    const { grid } = await openOwnTable(at, 'notes', (db) => {
      fill(db);
      for (let n = 1; n <= 40; n++) db.exec(`INSERT INTO notes VALUES (${n + 10}, 'n${n}', ${n * 3}, NULL)`);
    });
    const bars = (column: string) =>
      page.getByRole('list', { name: `Values of ${column}` }).getByRole('button');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('End');
    await headerMenu(page, 'Summarise…');
    await expect.poll(() => bars('place').allTextContents()).toEqual(['x24.7%', 'y12.3%', 'NULL4093%']);
    await press(bars('place').first());
    await expect.poll(() => grid.texts('id')).toEqual(['2', '3']);

    await press(page.getByRole('button', { name: /^Remove filter 1/ }));
    await expect.poll(async () => (await grid.texts('id')).length).toBeGreaterThan(20);
    await grid.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowLeft');
    await headerMenu(page, 'Summarise…');
    const dialog = page.getByRole('dialog', { name: 'Summary of stars' });
    await dialog.getByText('Mean').waitFor();
    await expect
      .poll(() => bars('stars').allTextContents())
      .toEqual([
        ...['0 to 20921%', '20 to 40716%', '40 to 60614%', '60 to 80716%', '80 to 100716%'],
        ...['100 to 120614%', '120 to 14012.3%'],
      ]);
    await press(bars('stars').last());
    await expect.poll(() => grid.texts('id')).toEqual(['50']);

    // "Match any" stays after the filters are gone. The two filters of a range must still both hold.
    await press(page.getByRole('button', { name: /^Edit filter 1/ }));
    await press(page.getByRole('combobox', { name: 'How filters combine' }));
    await choose(page.getByRole('option', { name: 'Match any' }));
    await press(page.getByRole('button', { name: 'Apply', exact: true }));
    await expect.poll(async () => (await grid.texts('id')).length).toBeGreaterThan(20);
    await press(page.getByRole('button', { name: /^Edit filter 1/ }));
    await press(page.getByRole('button', { name: 'Clear', exact: true }));
    await page.keyboard.press('Escape');
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await headerMenu(page, 'Summarise…');
    await press(bars('stars').last());
    await expect.poll(() => grid.texts('id')).toEqual(['50']);
  },
);

sharedJourney(
  'in a Weaviate collection, two columns are sorted, the vector is hidden, and its menu says why it has no sort',
  async ({ page }) => {
    const grid = await openMissions(page);
    const names = await headers(page);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('End');
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('menuitem', { name: /^Sort/ }).getByText('Vectors have no order').waitFor();
    await choose(page.getByRole('menuitem', { name: 'Hide column' }));
    await expect.poll(() => grid.header('vector').count()).toBe(0);
    await grid.focused();
    await page.keyboard.press('Home');
    for (let step = 0; step < names.indexOf('name'); step++) await page.keyboard.press('ArrowRight');
    await headerMenu(page, 'Sort descending');
    await expect.poll(() => grid.header('name').getAttribute('aria-sort')).toBe('descending');
    await grid.focused();
    await page.keyboard.press('ArrowRight');
    await headerMenu(page, 'Then sort ascending, others kept');
    await expect.poll(() => grid.header('description').getAttribute('aria-sort')).toBe('ascending');
    await expect.poll(() => grid.header('name').textContent()).toMatch(/1$/);
    await expect.poll(async () => (await grid.texts('name'))[0]).toMatch(/^[V-Z]/);
  },
);

sharedJourney('a hidden vector is read when it is shown again', async ({ page }) => {
  await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
  await page.getByRole('button', { name: 'Collection Species', exact: true }).waitFor();
  await openTable(page, 'Species');
  const grid = gridOf(page, 'Rows of Species');
  const vectors = ['vector: description', 'vector: habitat'];
  const read = (name: string) => expect.poll(async () => (await grid.texts(name))[0]).toMatch(/0\.\d/);
  await grid.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await expect.poll(async () => (await headers(page)).slice(-2)).toEqual(vectors);
  await headerMenu(page, 'Hide column');
  await expect.poll(() => grid.header(vectors[1]!).count()).toBe(0);
  await page.reload();
  await grid.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await read(vectors[0]!);
  await page.keyboard.press('Alt+ArrowDown');
  await choose(page.getByRole('menuitem', { name: /^Columns…/ }));
  const dialog = page.getByRole('dialog', { name: 'Columns of Species' });
  await press(dialog.getByRole('button', { name: 'Show all' }));
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await grid.focused();
  await page.keyboard.press('End');
  await read(vectors[1]!);
});

sharedJourney(
  'a table of 1,000 columns opens, scrolls to its end, and its last column has a menu',
  async (at) => {
    const { page } = at;
    const names = Array.from({ length: 999 }, (_, index) => `c${index}`);
    const { grid } = await openOwnTable(at, 'wide', (db) => {
      db.exec(`CREATE TABLE wide (id INTEGER PRIMARY KEY, ${names.join(' TEXT, ')} TEXT)`);
      for (let row = 0; row < 50; row++)
        db.exec(`INSERT INTO wide (c0, c998) VALUES ('${row}', 'last ${row}')`);
    });
    await page.keyboard.press('End');
    await expect.poll(() => grid.active()).toBe('last 0');
    await page.keyboard.press('ArrowUp');
    await headerMenu(page, 'Sort descending');
    await expect.poll(async () => (await grid.texts('c998'))[0]).toBe('last 9');
    await grid.focused();
    await headerMenu(page, 'Hide column');
    await expect.poll(() => grid.header('c998').count()).toBe(0);
    await grid.focused();
    await page.keyboard.press('Alt+ArrowDown');
    await choose(page.getByRole('menuitem', { name: /^Columns…/ }));
    const dialog = page.getByRole('dialog', { name: 'Columns of wide' });
    await dialog.getByText('999 of 1,000 shown').waitFor();
    await page.keyboard.type('c998');
    await press(dialog.getByRole('checkbox', { name: 'c998' }), { key: 'Space' });
    await page.keyboard.press('Escape');
    await expect.poll(() => grid.header('c998').count()).toBe(1);
  },
);
