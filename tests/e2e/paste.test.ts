import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { gridOf } from './grid.ts';
import { openSample, openTable, sharedJourney } from './journey.ts';
import { openMissions } from './missions.ts';
import { openOwnTable } from './own-table.ts';

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };
const byMouse = { ...clipboard, allow: /The mouse was used/ };

const put = (page: Page, text: string) =>
  page.evaluate((given) => navigator.clipboard.writeText(given), text);
const staged = (page: Page) => page.getByRole('status').filter({ hasText: /edited|new|deleted/ });
const savedAll = async (page: Page) => {
  await page.keyboard.press('ControlOrMeta+s');
  await staged(page).waitFor({ state: 'detached' });
};

const types = `
  CREATE TABLE things (
    id INTEGER PRIMARY KEY, words TEXT, size REAL, whole INTEGER, large INTEGER, raw BLOB, flag BOOLEAN,
    moment TEXT, data JSON, loose
  );
  INSERT INTO things VALUES
    (1, 'tab' || char(9) || 'line' || char(10) || '"quoted"', 1.5, 7, 9007199254740993, x'0001ff', 1,
     '2026-07-28', '{"a":[1,null,"x"]}', '007'),
    (2, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (3, NULL, -0.25, 0, -1, x'', 0, '', '[]', 3.5);
`;

sharedJourney(
  'copied cells of many types are pasted unchanged, also into other rows',
  async (at) => {
    const { page } = at;
    const { grid, rows } = await openOwnTable(at, 'things', (db) => db.exec(types));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+c');
    await page.getByText('Copied 30 cells').first().waitFor();
    await page.keyboard.press('ControlOrMeta+v');
    await page.getByText('The cells already have these values').first().waitFor();
    expect(await staged(page).count()).toBe(0);

    const [one, , three] = rows();
    await page.keyboard.press('ControlOrMeta+Home');
    for (const [from, to] of [
      [1, 2],
      [3, 1],
    ] as const) {
      await page.keyboard.press('ControlOrMeta+Home');
      for (let step = 1; step < from; step++) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowRight');
      for (let step = 0; step < 8; step++) await page.keyboard.press('Shift+ArrowRight');
      await page.keyboard.press('ControlOrMeta+c');
      await page.getByText('Copied 9 cells').first().waitFor();
      await page.keyboard.press('ControlOrMeta+Home');
      for (let step = 1; step < to; step++) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ControlOrMeta+v');
      await page
        .getByText(/^Pasted \d cells/)
        .first()
        .waitFor();
    }
    await page.getByText('2 edited').waitFor();
    await savedAll(page);
    expect(rows()).toEqual([{ ...three, id: 1n }, { ...one, id: 2n }, three]);
    await grid.focused();
  },
  clipboard,
);

sharedJourney(
  'a pasted spreadsheet range is undone in one step; a cell that does not fit is marked, corrected and saved',
  async ({ page }) => {
    await openSample(page);
    await openTable(page, 'planets');
    const grid = gridOf(page, 'Rows of planets');
    await grid.focus();
    const columns = await page
      .locator('[data-header]')
      .evaluateAll((headers) => headers.map((header) => header.getAttribute('aria-label') ?? ''));
    const number = columns.findIndex((label) => /REAL|INTEGER/.test(label) && !label.startsWith('id'));
    const wide = columns[number]!.split(',')[0]!;
    const [, before] = await grid.texts('name');

    await put(page, `name\t${wide}\r\n"Two\r\nlines"\tnot a number\r\nVenus 2\t12.5\r\n`);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ControlOrMeta+v');
    const message = page.getByText('1 cell does not fit. Fix it before you save');
    await message.first().waitFor();
    await page.getByText('2 edited').waitFor();
    await expect.poll(async () => (await grid.texts('name')).slice(0, 2)).toEqual(['Two↵lines', 'Venus 2']);
    expect(await page.locator('[aria-invalid=true]').textContent()).toBe('not a number');

    await page.keyboard.press('ControlOrMeta+z');
    await staged(page).waitFor({ state: 'detached' });
    await expect.poll(async () => (await grid.texts('name'))[1]).toBe(before);
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await page.getByText('2 edited').waitFor();

    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('A cell does not fit its column').first().waitFor();
    // The cursor is at the first cell with an error.
    const wrong = page.locator('[role=gridcell][aria-invalid=true]');
    const active = () => grid.locator.getAttribute('aria-activedescendant');
    await expect.poll(async () => (await active()) === (await wrong.getAttribute('id'))).toBe(true);
    await page.keyboard.type('42');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('[aria-invalid=true]').count()).toBe(0);
    await savedAll(page);
    await expect.poll(async () => (await grid.texts('name')).slice(0, 2)).toEqual(['Two↵lines', 'Venus 2']);
    await expect.poll(async () => (await grid.texts(wide)).slice(0, 2)).toEqual(['42', '12.5']);
  },
  clipboard,
);

sharedJourney(
  'pasted rows beyond the last row become new rows, one value fills a range, and JSON is pasted by column name',
  async (at) => {
    const { page } = at;
    const { grid, rows } = await openOwnTable(at, 'notes', (db) =>
      db.exec(`CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, stars INTEGER);
               INSERT INTO notes VALUES (1, 'a', 1), (2, 'b', 2);`),
    );
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await put(page, 'B,20\nc,3\n"d, e",4\n');
    await page.keyboard.press('ControlOrMeta+v');
    await page.getByText('Pasted 6 cells, 2 new rows at the top').first().waitFor();
    await page.getByText('1 edited, 2 new').waitFor();
    await page.keyboard.press('ControlOrMeta+z');
    await staged(page).waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+y');
    await page.getByText('1 edited, 2 new').waitFor();
    await savedAll(page);
    expect(rows('SELECT title, stars FROM notes ORDER BY stars')).toEqual([
      { title: 'a', stars: 1n },
      { title: 'c', stars: 3n },
      { title: 'd, e', stars: 4n },
      { title: 'B', stars: 20n },
    ]);

    // The page is read again after the save, and the new rows move to their places.
    await expect.poll(() => grid.texts('title')).toEqual(['a', 'B', 'c', 'd, e']);
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await put(page, '5');
    await page.keyboard.press('ControlOrMeta+v');
    await page.getByText('2 edited').waitFor();
    await put(page, '[{"stars": 9, "title": "json", "colour": "red"}]');
    await page.keyboard.press('ControlOrMeta+v');
    await page.getByText('1 column was left out, since it is not shown here: colour').first().waitFor();
    await expect.poll(async () => (await grid.texts('title'))[0]).toBe('json');
    await expect.poll(async () => (await grid.texts('stars')).slice(0, 2)).toEqual(['9', '5']);
  },
  clipboard,
);

sharedJourney(
  'fill down and duplicate work by keyboard; the database chooses the id of a duplicated row',
  async (at) => {
    const { page } = at;
    const { grid, rows } = await openOwnTable(at, 'notes', (db) =>
      db.exec(`CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, stars INTEGER);
               INSERT INTO notes VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3);`),
    );
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('ControlOrMeta+d');
    await page.getByText('2 edited').waitFor();
    await expect.poll(() => grid.texts('title')).toEqual(['a', 'a', 'a']);
    await page.keyboard.press('ControlOrMeta+z');
    await staged(page).waitFor({ state: 'detached' });

    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ControlOrMeta+Shift+d');
    await page.getByText('1 new').waitFor();
    await expect.poll(async () => (await grid.texts('title'))[0]).toBe('b');
    await savedAll(page);
    expect(rows()).toContainEqual({ id: 4n, title: 'b', stars: 2n });
  },
  clipboard,
);

sharedJourney(
  'paste, fill down and duplicate work from the menu, by mouse',
  async (at) => {
    const { page } = at;
    const { grid, rows } = await openOwnTable(at, 'notes', (db) =>
      db.exec(`CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, stars INTEGER);
               INSERT INTO notes VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3);`),
    );
    const cell = (line: number, column: number) =>
      page.locator(`[data-line="${line}"] [data-column="${column}"]`).first();
    const pick = async (name: string) => {
      await page.getByRole('menuitem', { name }).click();
      await grid.focused();
    };
    await put(page, 'x\t8');
    await cell(0, 1).click({ button: 'right' });
    await pick('Paste');
    await page.getByText('1 edited').waitFor();
    await cell(0, 1).click();
    await cell(2, 1).click({ modifiers: ['Shift'] });
    await cell(1, 1).click({ button: 'right' });
    await pick('Fill down');
    await page.getByText('3 edited').waitFor();
    await cell(2, 1).click({ button: 'right' });
    await pick('Duplicate 3 rows');
    await page.getByText('3 edited, 3 new').waitFor();
    await page.getByRole('button', { name: /^Save 6 rows/ }).click();
    await staged(page).waitFor({ state: 'detached' });
    expect(rows('SELECT title, stars FROM notes')).toEqual(
      [8n, 2n, 3n, 8n, 2n, 3n].map((stars) => ({ title: 'x', stars })),
    );
  },
  byMouse,
);

sharedJourney(
  'ten thousand cells are pasted in one step, and undone in one step',
  async (at) => {
    const { page } = at;
    const names = Array.from({ length: 50 }, (_, index) => `c${index}`);
    const { grid } = await openOwnTable(at, 'wide', (db) => {
      db.exec(`CREATE TABLE wide (id INTEGER PRIMARY KEY, ${names.join(' INTEGER, ')} INTEGER)`);
      const insert = db.prepare('INSERT INTO wide (c0) VALUES (?)');
      for (let row = 0; row < 200; row++) insert.run(row);
    });
    const text = Array.from({ length: 200 }, (_, row) => names.map((_, at) => row * 100 + at + 1).join('\t'));
    await put(page, text.join('\n'));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ControlOrMeta+v');
    await page.getByText('Pasted 10,000 cells').first().waitFor();
    await page.getByText('200 edited').waitFor();
    await expect.poll(async () => (await grid.texts('c0'))[1]).toBe('101');
    await page.keyboard.press('ControlOrMeta+z');
    await staged(page).waitFor({ state: 'detached' });
    await expect.poll(async () => (await grid.texts('c0'))[1]).toBe('1');
  },
  clipboard,
);

sharedJourney(
  'the Weaviate sample: a page pasted back changes nothing, and a row pasted onto another is saved',
  async ({ page }) => {
    const grid = await openMissions(page);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+c');
    await page
      .getByText(/^Copied [\d,]+ cells/)
      .first()
      .waitFor();
    await page.keyboard.press('ControlOrMeta+v');
    await page.getByText('The cells already have these values').first().waitFor();
    expect(await staged(page).count()).toBe(0);

    // The whole first row is pasted onto the second. The window says that two cells, the key and
    // the vector, stay.
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('Shift+Space');
    await page.keyboard.press('ControlOrMeta+c');
    await page
      .getByText(/^Copied \d+ cells/)
      .first()
      .waitFor();
    const [name] = await grid.texts('name');
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ControlOrMeta+v');
    await page
      .getByText(/2 cells were not changed/)
      .first()
      .waitFor();
    await savedAll(page);
    await expect.poll(async () => (await grid.texts('name')).slice(0, 2)).toEqual([name, name]);

    await grid.focus();
    await page.keyboard.press('ControlOrMeta+Shift+d');
    await page.getByText('1 new').waitFor();
    await savedAll(page);
    await page.keyboard.press('ControlOrMeta+r');
    await expect.poll(async () => (await grid.texts('name')).filter((one) => one === name).length).toBe(3);
  },
  clipboard,
);
