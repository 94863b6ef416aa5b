import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { openSample, openTable, sharedJourney } from './journey.ts';
import { openOwnTable } from './own-table.ts';

async function openGrid(page: Page, table: string) {
  await openSample(page);
  await openTable(page, table);
  const grid = gridOf(page, `Rows of ${table}`);
  await grid.focus();
  return grid;
}

const save = (page: Page) => page.keyboard.press('ControlOrMeta+s');
const staged = (page: Page) => page.getByRole('status').filter({ hasText: /edited|new|deleted/ });

sharedJourney('edits a cell, previews the statements, and saves the edit', async ({ page }) => {
  const grid = await openGrid(page, 'planets');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('F2');
  await page.keyboard.press('End');
  await page.keyboard.type(' (☿)');
  await page.keyboard.press('Enter');
  await expect.poll(() => grid.active()).toBe('Venus');
  await page.getByText('1 edited').waitFor();
  await expect.poll(async () => (await grid.rowHeaders())[0]).toBe('Row 1, edited');

  await press(page.getByRole('button', { name: 'Preview' }));
  const statements = page.getByRole('dialog').getByRole('list', { name: 'Statements' });
  await statements.waitFor();
  await expect
    .poll(() => statements.textContent())
    .toMatch(/^UPDATE planets SET name = 'Mercury \(☿\)' WHERE id = 1/);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await save(page);
  await staged(page).waitFor({ state: 'detached' });
  await page.reload();
  await grid.locator.waitFor();
  await expect.poll(async () => (await grid.texts('name'))[0]).toBe('Mercury (☿)');
});

sharedJourney('a saved value stays in view while the rows are read again', async ({ page }) => {
  const grid = await openGrid(page, 'planets');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('Hermes');
  await page.keyboard.press('Enter');
  await page.getByText('1 edited').waitFor();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/data/browse', async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest('**/data/browse');
  await save(page);
  await asked;
  // The window draws the result of the save within two frames.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect((await grid.texts('name'))[0]).toBe('Hermes');
  letGo();
  await staged(page).waitFor({ state: 'detached' });
  await expect.poll(async () => (await grid.texts('name'))[0]).toBe('Hermes');
});

sharedJourney(
  'in a window 700 px wide, the filter bar, the message of a cell and the Save button are not cut off',
  async ({ page }) => {
    const grid = await openGrid(page, 'planets');
    await page.setViewportSize({ width: 700, height: 560 });
    const inside = (target: Locator) =>
      target.evaluate((element) => {
        const box = element.getBoundingClientRect();
        const middle = box.top + box.height / 2;
        const seen = (x: number) => element.contains(document.elementFromPoint(x, middle));
        return seen(box.left + 2) && seen(box.right - 2);
      });
    await page.keyboard.press('ControlOrMeta+Shift+f');
    const remove = page.getByRole('button', { name: 'Remove filter 1' });
    await remove.waitFor();
    expect(await inside(remove)).toBe(true);
    await page.keyboard.press('Escape');

    await grid.focus();
    for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowRight');
    await page.keyboard.type('big');
    const problem = page.getByRole('alert');
    await problem.waitFor();
    expect(await inside(problem)).toBe(true);
    await page.keyboard.press('Escape');
    await grid.focused();

    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('Hermes');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Delete');
    await page.keyboard.press('ControlOrMeta+i');
    await page.getByText('1 edited, 1 new, 1 deleted').waitFor();
    for (const part of [staged(page), page.getByRole('button', { name: /^Save 3 rows/ })]) {
      expect(await part.evaluate((element) => element.scrollHeight <= element.clientHeight)).toBe(true);
      expect(await part.evaluate((element) => element.getBoundingClientRect().right <= innerWidth)).toBe(
        true,
      );
    }
  },
);

sharedJourney(
  'an edit in the last row stays visible when the bar of unsaved changes appears',
  async ({ page }) => {
    const grid = await openGrid(page, 'elements');
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('Zz');
    await page.keyboard.press('Enter');
    const bar = await page.getByRole('region', { name: 'Unsaved changes' }).boundingBox();
    const edited = grid.locator.getByRole('rowheader', { name: 'Row 118, edited' });
    const bottom = () => edited.evaluate((element) => element.getBoundingClientRect().bottom);
    await expect.poll(bottom).toBeLessThanOrEqual(bar!.y);
  },
);

sharedJourney(
  'Escape leaves a cell unchanged, and a value of the wrong type is not accepted',
  async ({ page }) => {
    const grid = await openGrid(page, 'planets');
    for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowRight');
    await page.keyboard.type('big');
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .filter({ hasText: /number/i })
      .waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => grid.active()).toBe('2439.7');
    expect(await staged(page).count()).toBe(0);
  },
);

sharedJourney('a new row and a deletion are saved after undo and redo of the deletion', async ({ page }) => {
  const grid = await openGrid(page, 'elements');
  await page.keyboard.press('ControlOrMeta+i');
  await expect.poll(grid.rowHeaders).toContain('New row');
  for (const text of '119|Uue|Ununennium|295|1|8|alkali metal|solid|'.split('|')) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await page.getByText('1 new').waitFor();

  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('Delete');
  await page.getByText('1 new, 1 deleted').waitFor();
  await page.keyboard.press('ControlOrMeta+z');
  await staged(page)
    .filter({ hasText: /^1 new$/ })
    .waitFor();
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await page.getByText('1 new, 1 deleted').waitFor();
  await expect.poll(() => grid.rowHeaders()).toContain('Row 118, marked for deletion');

  await save(page);
  await staged(page).waitFor({ state: 'detached' });
  await page.getByText('1–118 of 118').waitFor();
  await page.keyboard.press('ControlOrMeta+End');
  const last = async () => (await grid.texts('symbol')).slice(-2);
  await expect.poll(last).toEqual(['Ts', 'Uue']);
});

sharedJourney(
  'a row that cannot be saved keeps its edit and has a message, and the other row is saved',
  async ({ page }) => {
    const grid = await openGrid(page, 'planets');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('Hermes');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Mars');
    await page.keyboard.press('Enter');
    await page.getByText('2 edited').waitFor();
    await save(page);
    const failed = async () => (await grid.rowHeaders()).filter((label) => label.includes('not saved'));
    await expect.poll(failed).toEqual(['Row 2, edited, not saved: UNIQUE constraint failed: planets.name']);
    await expect.poll(async () => (await grid.texts('name')).slice(0, 2)).toEqual(['Hermes', 'Mars']);
    await page.getByText('1 edited').waitFor();

    await grid.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('Aphrodite');
    await page.keyboard.press('Enter');
    await save(page);
    await staged(page).waitFor({ state: 'detached' });
    await expect.poll(async () => (await grid.texts('name')).slice(0, 2)).toEqual(['Hermes', 'Aphrodite']);
  },
);

sharedJourney(
  'a shortcut sets a cell to NULL, Discard reverts the edit, and redo sets NULL again',
  async ({ page }) => {
    const grid = await openGrid(page, 'planets');
    const firstRow = () => grid.locator.getByRole('rowheader').first().boundingBox();
    const place = await firstRow();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => grid.active()).toBe('Clyde Tombaugh');
    await page.keyboard.press('ControlOrMeta+Backspace');
    await expect.poll(() => grid.active()).toBe('NULL');
    await press(page.getByRole('button', { name: 'Discard' }));
    await expect.poll(grid.active).toBe('Clyde Tombaugh');
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    await bar.waitFor({ state: 'detached' });
    expect(await firstRow()).toEqual(place);
    await page.getByText('Changes discarded').waitFor();
    await grid.focused();
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await expect.poll(() => grid.active()).toBe('NULL');
    await press(bar.getByRole('button', { name: 'Undo' }));
    await bar.waitFor({ state: 'detached' });
    await grid.focused();
  },
);

sharedJourney('a tab with unsaved changes asks before it closes', async ({ page }) => {
  await openGrid(page, 'planets');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('Hermes');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Alt+w');
  const question = page.getByRole('alertdialog');
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await page.getByText('1 edited').waitFor();
  await page.keyboard.press('Alt+w');
  await tabTo(question.getByRole('button', { name: 'Discard and close' }));
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: /planets/ }).waitFor({ state: 'detached' });
});

sharedJourney(
  'Delete on a tab closes it, and the focus moves to the rows of the other tab',
  async ({ page }) => {
    const grid = await openGrid(page, 'planets');
    await page.keyboard.press('Alt+n');
    await page.getByRole('textbox', { name: 'Query 1' }).waitFor();
    // In the editor, Tab indents. After Escape, Tab leaves the editor.
    await page.keyboard.press('Escape');
    const tab = page.getByRole('tab', { name: 'Query 1' });
    await tabTo(tab, { back: true });
    await page.keyboard.press('Delete');
    await tab.waitFor({ state: 'detached' });
    await grid.focused();
  },
);

sharedJourney('a save after Safe Mode became read only says why it did nothing', async ({ app, page }) => {
  await openGrid(page, 'planets');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('Hermes');
  await page.keyboard.press('Enter');
  await page.getByText('1 edited').waitFor();
  const { id, fields } = await app.sample();
  const draft = { name: 'Sample: SQLite', driver: 'sqlite', fields, color: null };
  const rights = { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' };
  await app.tell('connections.update', { id, draft: { ...draft, ...rights, safeMode: 'readOnly' } });
  await page.getByText('The Safe Mode of this connection is read only').waitFor();
  await save(page);
  const toasts = page.getByRole('region', { name: 'Notifications' });
  await toasts.getByText('Nothing was saved').waitFor();
  await toasts.getByText(/is read only\. The changes are still staged\. .* change Safe Mode/).waitFor();
  await page.getByText('1 edited').waitFor();
});

sharedJourney('each cell of a row is saved whatever the name of its column is', async (at) => {
  const { page } = at;
  const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', ' lead', 'a"b'];
  const { grid, rows } = await openOwnTable(at, 'odd', (db) => {
    const columns = names.map((name) => `"${name.replaceAll('"', '""')}" TEXT`);
    db.exec(`CREATE TABLE odd (nr INTEGER PRIMARY KEY, ${columns.join(', ')})`);
    db.exec('INSERT INTO odd (nr) VALUES (1)');
  });
  for (const [index] of names.entries()) {
    await page.keyboard.press('Home');
    for (let column = 0; column <= index; column++) await page.keyboard.press('ArrowRight');
    await page.keyboard.type(`value ${index}`);
    await page.keyboard.press('Enter');
    await grid.focused();
  }
  await page.getByText('1 edited').waitFor();
  // The edits stay after a reload, which reads them from the app.
  await page.reload();
  await page.getByText('1 edited').waitFor();
  await save(page);
  await staged(page).waitFor({ state: 'detached' });
  const values = names.map((name, index) => [name, `value ${index}`]);
  expect(rows().map((row) => Object.entries(row))).toEqual([[['nr', 1n], ...values]]);
});
