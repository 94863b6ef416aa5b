import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { importConnections } from './app.ts';
import { choose, press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { type Journey, openTable, refusedRequest, sharedJourney } from './journey.ts';

/** If a page treats this text as HTML, the test fails, whether the script runs or the content policy blocks it. */
const hostile = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>';
const mixed = '日本語 👩‍👩‍👧 שלום عربي';

async function openOwn({ app, page }: Journey, name: string, fill: (db: DatabaseSync) => void) {
  const file = join(app.folder, 'own.db');
  const db = new DatabaseSync(file);
  fill(db);
  db.close();
  await importConnections(app, [{ name, driver: 'sqlite', fields: { file } }]);
  await press(page.getByRole('button', { name }).first());
  return {
    rows(sql: string): Record<string, unknown>[] {
      const reader = new DatabaseSync(file, { readOnly: true });
      try {
        return reader
          .prepare(sql)
          .all()
          .map((row) => ({ ...row }));
      } finally {
        reader.close();
      }
    },
  };
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const ran = (page: Page) => page.evaluate(() => 'ran' in window);

sharedJourney(
  'HTML and script in names, cells and errors stay text',
  async (at) => {
    const { page } = at;
    const { rows } = await openOwn(at, hostile, (db) => {
      db.exec(`CREATE TABLE ${quoted(hostile)} (id INTEGER PRIMARY KEY, ${quoted(hostile)} TEXT)`);
      db.prepare(`INSERT INTO ${quoted(hostile)} VALUES (1, ?), (2, 'plain')`).run(hostile);
    });
    const entry = page.getByRole('button', { name: `Table ${hostile}`, exact: true });
    await entry.waitFor();
    await press(entry);
    const grid = page.getByRole('grid', { name: `Rows of ${hostile}` });
    await grid.waitFor();
    await page.getByText('1–2 of 2').waitFor();
    await expect.poll(() => page.getByRole('gridcell', { name: '<img src=x' }).count()).toBe(1);
    await tabTo(grid);
    await page.keyboard.press('Alt+i');
    const inspector = page.getByRole('complementary', { name: 'Row inspector' });
    await inspector.getByText(hostile).first().waitFor();
    await page.keyboard.press('Alt+i');
    await inspector.waitFor({ state: 'detached' });

    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type(`${hostile}2`);
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('1 edited').waitFor({ state: 'detached' });
    expect(rows(`SELECT ${quoted(hostile)} AS text FROM ${quoted(hostile)} WHERE id = 1`)).toEqual([
      { text: `${hostile}2` },
    ]);
    await page.keyboard.press('Alt+s');
    await page.getByRole('region', { name: `Structure of ${hostile}` }).waitFor();

    await page.keyboard.press('Alt+n');
    const editor = page.getByRole('textbox', { name: 'Query 1', exact: true });
    await editor.focus();
    await page.keyboard.insertText(`SELECT * FROM "gone ${hostile.replaceAll('"', '')}"`);
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByText('no such table: gone <img').waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill(hostile);
    await page.keyboard.press('Enter');
    const saved = page.getByRole('region', { name: 'Saved queries' });
    await saved.getByRole('button', { name: hostile, exact: true }).waitFor();
    await name.waitFor({ state: 'detached' });
    await page.keyboard.press('Alt+h');
    await page.getByRole('complementary', { name: 'History' }).getByText('gone <img').waitFor();
    await page.keyboard.press('ControlOrMeta+p');
    await page.getByRole('option', { name: hostile }).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Open anything' }).waitFor({ state: 'detached' });
    // Escape, then Tab leaves the editor.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await tabTo(saved.getByRole('button', { name: hostile, exact: true }));
    await page.keyboard.press('Delete');
    await page.getByText(`Deleted “${hostile}”`).waitFor();
    expect(await ran(page)).toBe(false);
  },
  { allow: refusedRequest },
);

sharedJourney(
  'text in several scripts stays intact in the grid, in a filter, after an edit and in an export',
  async (at) => {
    const { page } = at;
    const { rows } = await openOwn(at, mixed, (db) => {
      db.exec(`CREATE TABLE ${quoted(mixed)} (id INTEGER PRIMARY KEY, ${quoted(mixed)} TEXT)`);
      db.prepare(`INSERT INTO ${quoted(mixed)} VALUES (1, ?), (2, 'plain')`).run(mixed);
    });
    const entry = page.getByRole('button', { name: `Table ${mixed}`, exact: true });
    await press(entry);
    const grid = gridOf(page, `Rows of ${mixed}`);
    await expect.poll(() => grid.texts(mixed)).toEqual([mixed, 'plain']);
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+Shift+f');
    await tabTo(page.getByLabel('Column of filter 1'), { back: true });
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(mixed);
    await choose(page.getByRole('option', { name: mixed }));
    await tabTo(page.getByLabel('Value of filter 1'));
    await page.keyboard.insertText(mixed);
    await page.keyboard.press('Enter');
    await page.getByText('1–1 of 1').waitFor();
    await grid.focused();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const cell = page.getByRole('textbox', { name: mixed });
    await expect.poll(() => cell.inputValue()).toBe(mixed);
    await page.keyboard.press('End');
    await page.keyboard.insertText(' ﷽👍🏽');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('1 edited').waitFor({ state: 'detached' });
    const text = `${mixed} ﷽👍🏽`;
    expect(rows(`SELECT ${quoted(mixed)} AS text FROM ${quoted(mixed)} WHERE id = 1`)).toEqual([{ text }]);

    await page.keyboard.press('Alt+n');
    await page.getByRole('textbox', { name: 'Query 1', exact: true }).focus();
    await page.keyboard.insertText(`SELECT * FROM ${quoted(mixed)}`);
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(() => gridOf(page, 'Result').texts(mixed)).toEqual([text, 'plain']);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await press(page.getByRole('button', { name: 'Export the result' }));
    const download = page.waitForEvent('download');
    await choose(page.getByRole('menuitem', { name: 'JSON lines' }));
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { id: 1, [mixed]: text },
      { id: 2, [mixed]: 'plain' },
    ]);
  },
);

const words = 'some words that go on without an end and without a line, ';

sharedJourney('a cell of five megabytes is opened, edited and saved whole', async (at) => {
  const { page } = at;
  const body = words.repeat(90_000).slice(0, 5_000_000);
  const { rows } = await openOwn(at, 'Own', (db) => {
    db.exec('CREATE TABLE big (id INTEGER PRIMARY KEY, body TEXT)');
    db.prepare('INSERT INTO big VALUES (1, ?), (2, ?)').run(body, 'short');
  });
  await press(page.getByRole('button', { name: 'Table big', exact: true }));
  const grid = gridOf(page, 'Rows of big');
  await page.getByText('1–2 of 2').waitFor();
  await grid.focus();
  await page.keyboard.press('Alt+i');
  const inspector = page.getByRole('complementary', { name: 'Row inspector' });
  await inspector.getByText('5,000,000 characters').waitFor();
  await page.keyboard.press('Alt+i');
  await inspector.waitFor({ state: 'detached' });
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const editor = page.getByRole('textbox', { name: 'body', exact: true });
  await expect.poll(() => editor.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('THE END');
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.getByText('1 edited').waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('1 edited').waitFor({ state: 'detached' });
  const [stored] = rows('SELECT body FROM big WHERE id = 1');
  expect(stored?.body === `${body}THE END`).toBe(true);
});

sharedJourney(
  'the Weaviate sample stores HTML and text in several scripts unchanged, and large text at full length',
  async (at) => {
    const { page } = at;
    await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
    await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
    await openTable(page, 'Mission');
    const grid = gridOf(page, 'Rows of Mission');
    await grid.focus();
    const type = async (text: string, keys: string[]) => {
      await grid.focused();
      await page.keyboard.press('ControlOrMeta+Home');
      for (const key of keys) await page.keyboard.press(key);
      await page.keyboard.press('Shift+Enter');
      const box = page.getByRole('textbox', { name: 'name', exact: true });
      await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(text);
      await page.keyboard.press('ControlOrMeta+Enter');
      await box.waitFor({ state: 'detached' });
    };
    const large = words.repeat(90_000).slice(0, 5_000_000);
    await type(`${hostile} ${mixed}`, ['ArrowRight']);
    await type(large, ['ArrowRight', 'ArrowDown']);
    await page.getByText('2 edited').waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('2 edited').waitFor({ state: 'detached' });
    await expect.poll(async () => (await grid.texts('name'))[0]).toContain('<img src=x');
    await page.keyboard.press('Alt+i');
    const inspector = page.getByRole('complementary', { name: 'Row inspector' });
    await inspector.getByText('5,000,000 characters').waitFor();
    await page.keyboard.press('ArrowUp');
    await inspector.getByText(`${hostile} ${mixed}`).first().waitFor();
    expect(await ran(page)).toBe(false);
  },
);
