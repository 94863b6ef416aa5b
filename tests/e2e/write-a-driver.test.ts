import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { journey, openTable, refusedRequest } from './journey.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'write-a-driver.md'), 'utf8');

/** The text of a numbered step of the page. */
function step(number: number): string {
  return page.slice(page.indexOf(`\n${number}. `), page.indexOf(`\n${number + 1}. `));
}

/** The fenced code of a step, as an author copies it. */
function codeOf(text: string): string {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(text)!;
  return code.replaceAll(/^ {3}/gm, '');
}

/** The `from` and `to` of "change `from` to `to`". */
function changesIn(text: string): [string, string][] {
  return [...text.matchAll(/`([^`]+)` to `([^`]+)`/g)].map(([, from = '', to = '']) => [from, to]);
}

/** Follows steps 2 to 5 of the page, and does nothing else. */
function followPage(folder: string): void {
  const edit = (name: string, change: (text: string) => string) =>
    writeFileSync(join(folder, name), change(readFileSync(join(folder, name), 'utf8')));
  edit('manifest.json', (text) => {
    const manifest = JSON.parse(text);
    for (const [key, value] of changesIn(step(2))) {
      if (key === 'help') manifest.fields[0].help = value;
      else manifest[key] = value;
    }
    return JSON.stringify(manifest, null, 2);
  });
  const [[from, to] = ['', '']] = changesIn(step(3));
  edit('driver.js', (text) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  });
  edit('read-table.js', () => codeOf(step(4)));
  edit('contract.js', (text) => {
    const [[, types] = ['', '']] = changesIn(step(5));
    const createTable = /^ {6}async createTable[\s\S]*?^ {6}\},\n/m;
    expect(text).toMatch(createTable);
    return text.replace(/types: \[.*\]/, `types: ${types}`).replace(createTable, () => codeOf(step(5)));
  });
}

journey(
  'the page on writing a driver, followed literally, ends with rows in the window',
  async ({ page, app }) => {
    const cwd = mkdtempSync(join(tmpdir(), 'trestle-page-'));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    const plugins = async (...args: string[]) => {
      const { code, stdout, stderr } = await app.runIn(cwd, 'plugins', ...args);
      expect([code, stderr]).toEqual([0, '']);
      return stdout;
    };
    await plugins('new', 'csv-folder');
    followPage(join(cwd, 'csv-folder'));
    expect(await plugins('check', 'csv-folder')).toMatch(/pass [1-9]\d+\n[^\n]*fail 0\n/);
    await plugins('pack', 'csv-folder');
    await plugins('install', 'csv-folder-0.1.0.tgz');
    mkdirSync(join(cwd, 'files'));
    writeFileSync(join(cwd, 'files', 'people.csv'), 'name,born\n"Lovelace, Ada",1815\nGrace Hopper,1906\n');

    await press(page.getByRole('button', { name: 'New connection' }), { back: true });
    const dialog = page.getByRole('dialog', { name: 'New connection' });
    await press(dialog.getByRole('button', { name: /^CSV folder/ }));
    const folder = dialog.getByRole('textbox', { name: 'Folder' });
    // The app refuses its own data directory when the connection is saved.
    await tabTo(folder);
    await page.keyboard.type(app.folder);
    await press(dialog.getByRole('button', { name: 'Save & open' }));
    await dialog.getByText('the data directory of Trestle').first().waitFor();
    await tabTo(folder);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(cwd);
    await press(dialog.getByRole('button', { name: 'Browse…' }));
    const chooser = page
      .getByRole('dialog')
      .filter({ has: page.getByRole('button', { name: 'Parent folder' }) });
    await press(chooser.getByRole('button', { name: 'Folder files' }));
    await expect.poll(() => chooser.getByRole('status').textContent()).toBe(join(cwd, 'files'));
    await press(chooser.getByRole('button', { name: 'Choose this folder' }));
    await expect.poll(() => folder.inputValue()).toBe(join(cwd, 'files'));
    await press(dialog.getByRole('button', { name: 'Save & open' }));
    await page.getByRole('button', { name: 'Table people' }).waitFor();

    // The driver has no query language, so the window opens no query.
    expect(await page.getByRole('button', { name: 'New query' }).count()).toBe(0);
    await page.keyboard.press('Alt+n');
    await openTable(page, 'people');
    expect(await page.getByRole('tab').allTextContents()).toEqual(['people']);
    const grid = gridOf(page, 'Rows of people');
    await expect.poll(() => grid.texts('name')).toEqual(['Lovelace, Ada', 'Grace Hopper']);
    await expect.poll(() => grid.texts('born')).toEqual(['1815', '1906']);
  },
  { allow: refusedRequest },
);
