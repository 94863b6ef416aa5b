import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { choose, press, tabTo, until } from './browser.ts';
import { gridOf } from './grid.ts';
import { journey, openSample, refusedRequest, sharedJourney } from './journey.ts';
import { readRecords } from './stored-records.ts';

const editorOf = (page: Page, name = 'Query 1') => page.getByRole('textbox', { name, exact: true });
const results = (page: Page) => page.getByRole('region', { name: 'Results' });

async function openEditor(page: Page, connection: RegExp, text: string): Promise<void> {
  if (connection.source.includes('SQLite')) await openSample(page);
  else {
    await press(page.getByRole('button', { name: connection }));
    await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
  }
  await page.keyboard.press('Alt+n');
  await type(page, text);
}

async function type(page: Page, text: string, name?: string): Promise<void> {
  await editorOf(page, name).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

const sqlite = /^Sample: SQLite/;
const weaviate = /^Sample: Weaviate/;

/** Chooses the entry with this name in the palette. */
async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+p');
  const input = page.getByRole('combobox', { name: 'Open anything' });
  await input.waitFor();
  await page.keyboard.type(name);
  await page.getByRole('option', { name }).first().waitFor();
  await page.keyboard.press('Enter');
  await input.waitFor({ state: 'detached' });
}

sharedJourney(
  'all statements run in order, each with its result; a statement that fails ends the run',
  async ({ page }) => {
    await openEditor(page, sqlite, 'SELECT 1 AS one;\nSELECT 2 AS two;\nSELECT 3 AS three;');
    await page.getByText('Runs line 3').waitFor();
    // In a restored tab, the statement at the cursor is marked before the cursor moves.
    await page.reload();
    await editorOf(page).waitFor();
    await page.getByText('Runs line 3').waitFor();
    await page.keyboard.press('ControlOrMeta+Shift+Enter');
    const tabs = results(page).getByRole('tab');
    await expect.poll(() => tabs.count()).toBe(3);
    expect(await tabs.evaluateAll((all) => all.map((tab) => tab.querySelector('bdi')?.textContent))).toEqual([
      'SELECT 1 AS one;',
      'SELECT 2 AS two;',
      'SELECT 3 AS three;',
    ]);
    await expect.poll(() => gridOf(page, 'Result').texts('one')).toEqual(['1']);
    await page.keyboard.press('Escape');
    await tabTo(tabs.first());
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => gridOf(page, 'Result').texts('two')).toEqual(['2']);

    await type(page, 'SELECT 1 AS one;\nSELECT * FROM nowhere;\nSELECT 3 AS three;');
    await page.keyboard.press('ControlOrMeta+Shift+Enter');
    await results(page).getByText('no such table: nowhere').waitFor();
    await results(page).getByText('One statement did not run').waitFor();
    await expect.poll(() => tabs.count()).toBe(2);
  },
  { allow: refusedRequest },
);

sharedJourney('among several statements, the one at the cursor is marked and runs', async ({ page }) => {
  await openEditor(page, weaviate, 'GET /meta\n\n{\n  Get { Mission(limit: 1) { name } }\n}\n');
  const marked = page.locator('.cm-runs');
  await expect
    .poll(() => marked.allTextContents())
    .toEqual(['{', '  Get { Mission(limit: 1) { name } }', '}']);
  await page.getByText('Runs lines 3–5').waitFor();
  await page.keyboard.press('ControlOrMeta+Home');
  await expect.poll(() => marked.allTextContents()).toEqual(['GET /meta']);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => results(page).getByRole('status').textContent()).toMatch(/^HTTP 200/);
  await page.keyboard.press('ControlOrMeta+Shift+Enter');
  await expect
    .poll(() => results(page).getByRole('tab').locator('bdi').allTextContents())
    .toEqual(['GET /meta', 'Mission']);
});

sharedJourney('REST paths are completed, with collections and parameters', async ({ page }) => {
  await openEditor(page, weaviate, '');
  const offers = page.getByRole('listbox', { name: 'Completions' });
  const offer = (name: RegExp) => offers.getByRole('option', { name });
  const take = async (wanted: Locator) => {
    // The letters may have come before the paths. A user then asks for the list.
    await expect
      .poll(async () => {
        if ((await wanted.count()) === 0) await page.keyboard.press('Control+Space');
        return wanted.count();
      })
      .toBe(1);
    // A completion that has only just appeared ignores Enter, which may have been meant for the text.
    await page.waitForTimeout(200);
    await page.keyboard.press('Enter');
    await offers.waitFor({ state: 'detached' });
  };
  await page.keyboard.type('GET /schema/Mis');
  await take(offer(/^\/schema\/Mission\s*One collection/));
  await expect.poll(() => editorOf(page).textContent()).toBe('GET /schema/Mission');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => results(page).getByRole('status').textContent()).toMatch(/^HTTP 200/);

  await type(page, '');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.type('GET /v1/objects?class=Mis');
  await take(offer(/^class=Mission/));
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => results(page).getByRole('status').textContent()).toMatch(/^HTTP 200/);
});

sharedJourney('Format changes the layout of a text, and one undo restores the layout', async ({ page }) => {
  await openEditor(page, sqlite, 'select name,moons from planets where moons>1 -- many');
  const lines = () => page.locator('.cm-line').allTextContents();
  await page.keyboard.press('Shift+Alt+f');
  await expect
    .poll(lines)
    .toEqual(['select', '  name,', '  moons', 'from', '  planets', 'where', '  moons > 1 -- many']);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(lines).toEqual(['select name,moons from planets where moons>1 -- many']);
});

sharedJourney('a result is shown as a grid or as JSON, and exported to a file', async ({ page }) => {
  const statement = "SELECT 'ü, 日本 👍' AS text, NULL AS missing, '' AS empty, '=1+1' AS f, 1.5 AS n";
  await openEditor(page, sqlite, statement);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => gridOf(page, 'Result').texts('n')).toEqual(['1.5']);
  await page.keyboard.press('Alt+j');
  const json = results(page).getByRole('region', { name: 'Rows as JSON' });
  await expect.poll(() => json.textContent()).toContain('"text": "ü, 日本 👍"');
  await type(page, 'SELECT 1 AS other');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => json.textContent()).toContain('"other": 1');
  await type(page, statement);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => json.textContent()).toContain('"text": "ü, 日本 👍"');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await press(results(page).getByRole('button', { name: 'Export the result' }));
  const csv = page.waitForEvent('download');
  await choose(page.getByRole('menuitem', { name: 'CSV', exact: true }));
  const file = await csv;
  expect(file.suggestedFilename()).toBe('Query-1.csv');
  expect(readFileSync(await file.path(), 'utf8')).toBe(
    'text,missing,empty,f,n\r\n"ü, 日本 👍",,"",=1+1,1.5\r\n',
  );
  const harmless = page.waitForEvent('download');
  await command(page, 'Export the result as CSV for a spreadsheet');
  expect(readFileSync(await (await harmless).path(), 'utf8')).toContain(",'=1+1,1.5");
  const lines = page.waitForEvent('download');
  await command(page, 'Export the result as JSON lines');
  expect(readFileSync(await (await lines).path(), 'utf8')).toBe(
    '{"text":"ü, 日本 👍","missing":null,"empty":"","f":"=1+1","n":1.5}\n',
  );
});

journey('a query is saved, found, renamed, deleted, restored, and kept over a restart', async (at) => {
  const { page, app } = at;
  await openEditor(page, sqlite, 'SELECT 42 AS answer');
  await page.keyboard.press('ControlOrMeta+s');
  const name = page.getByRole('textbox', { name: 'Name' });
  await expect.poll(() => name.inputValue()).toBe('SELECT 42 AS answer');
  await name.fill('The answer');
  await page.keyboard.press('Enter');
  const list = page.getByRole('region', { name: 'Saved queries' });
  const entry = (label: string) => list.getByRole('button', { name: label, exact: true });
  await entry('The answer').waitFor();
  await page.getByRole('tab', { name: 'The answer' }).waitFor();

  await type(page, 'SELECT 43 AS answer', 'The answer');
  await page.getByRole('tab', { name: 'The answer changed' }).waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('tab', { name: 'The answer', exact: true }).waitFor();

  await page.keyboard.press('Alt+w');
  await tabTo(page.getByLabel('Filter tables'));
  await page.keyboard.type('43');
  await tabTo(entry('The answer'));
  await page.keyboard.press('F2');
  await expect.poll(() => name.inputValue()).toBe('The answer');
  await name.fill('Nearly');
  await page.keyboard.press('Enter');
  await entry('Nearly').waitFor();
  await tabTo(entry('Nearly'));
  await page.keyboard.press('Delete');
  await list.waitFor({ state: 'detached' });
  await page.getByText('Deleted “Nearly”').waitFor();
  await page.keyboard.press('F6');
  const undo = page.getByRole('button', { name: 'Undo' });
  await until(undo, 'it has the focus', async () => {
    if (await undo.evaluate((element) => element === document.activeElement)) return true;
    await page.keyboard.press('Tab');
    return false;
  });
  await page.keyboard.press('Enter');
  await entry('Nearly').waitFor();
  await page.getByText('Deleted “Nearly”').waitFor({ state: 'detached' });

  // The query is stored a moment later. Once stored, the query survives a kill of the app.
  await expect
    .poll(() => readRecords(app.folder, 'queries/'))
    .toMatchObject([{ name: 'Nearly', text: 'SELECT 43 AS answer' }]);
  await page.goto('about:blank');
  await app.kill();
  await app.start();
  await page.goto(await app.createLink());
  await entry('Nearly').waitFor();
  await command(page, 'Nearly');
  await expect.poll(() => editorOf(page, 'Nearly').textContent()).toBe('SELECT 43 AS answer');
});

sharedJourney('after two deletions, Undo in each message restores its own query', async ({ page }) => {
  await openSample(page);
  const list = page.getByRole('region', { name: 'Saved queries' });
  const entry = (label: string) => list.getByRole('button', { name: label, exact: true });
  for (const [at, label] of ['First', 'Second'].entries()) {
    await page.keyboard.press('Alt+n');
    await type(page, `SELECT '${label}'`, `Query ${at + 1}`);
    await page.keyboard.press('ControlOrMeta+s');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill(label);
    await page.keyboard.press('Enter');
    await entry(label).waitFor();
    await name.waitFor({ state: 'detached' });
  }
  await entry('First').focus();
  await page.keyboard.press('Delete');
  await entry('First').waitFor({ state: 'detached' });
  await page.keyboard.press('Delete');
  await list.waitFor({ state: 'detached' });
  const undo = (label: string) =>
    page
      .locator('[data-toast]')
      .filter({ hasText: `Deleted “${label}”` })
      .getByText('Undo', { exact: true });
  for (const label of ['First', 'Second']) {
    await undo(label).focus();
    await page.keyboard.press('Enter');
    await entry(label).waitFor();
  }
});
