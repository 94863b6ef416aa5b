import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openWindow } from '../faults/window-client.ts';
import type { TestApp } from './app.ts';
import { press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { openSample, refusedRequest, sharedJourney } from './journey.ts';

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

async function openEditor(page: Page): Promise<void> {
  await openSample(page);
  await page.keyboard.press('Alt+n');
  await page.getByRole('textbox', { name: 'Query 1' }).waitFor();
}

async function run(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.getByRole('textbox', { name: 'Query 1' }).evaluate(isFocused)).toBe(true);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
  await page.keyboard.press('ControlOrMeta+Enter');
}

/** In the editor, Tab indents. After Escape, Tab leaves the editor. The first Escape may close the completion list. */
async function leaveEditor(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
}

/** The driver's process. Waits, because the process of the previous journey may still be ending. */
async function onlyHost(app: TestApp): Promise<number> {
  await expect.poll(() => app.hosts().length).toBe(1);
  return app.hosts()[0]!;
}

const results = (page: Page) => page.getByRole('region', { name: 'Results' });

sharedJourney('the editor runs a statement and shows its rows', async ({ page }) => {
  await openEditor(page);
  await run(
    page,
    'SELECT name, moons FROM planets JOIN moons_by_planet ON planet = name ORDER BY moons DESC',
  );
  await results(page).getByText('10 rows').waitFor();
  const grid = gridOf(page, 'Result');
  await expect.poll(async () => (await grid.texts('name')).slice(0, 2)).toEqual(['Saturn', 'Uranus']);
});

sharedJourney(
  'a wrong statement gets the database’s message; of two statements, the statement at the cursor runs',
  async ({ page }) => {
    await openEditor(page);
    await run(page, 'SELECT * FROM nowhere');
    await results(page).getByText('no such table: nowhere').waitFor();
    await run(page, 'SELECT 1 AS one; SELECT 2 AS two');
    await gridOf(page, 'Result').header('two').waitFor();
    await expect.poll(() => gridOf(page, 'Result').texts('two')).toEqual(['2']);
  },
  { allow: refusedRequest },
);

sharedJourney('tables are offered after FROM, and Mod+/ comments a line', async ({ page }) => {
  await openEditor(page);
  await expect.poll(() => page.getByRole('textbox', { name: 'Query 1' }).evaluate(isFocused)).toBe(true);
  await page.keyboard.type('SELECT name -- from ');
  await page.keyboard.press('Enter');
  expect(await page.getByRole('listbox', { name: 'Completions' }).count()).toBe(0);
  await page.keyboard.type('FROM ');
  const offered = page.getByRole('listbox', { name: 'Completions' }).getByRole('option');
  await offered.first().waitFor();
  expect((await offered.allTextContents()).slice(0, 2)).toEqual(['authors', 'books']);
  await page.keyboard.type('plan');
  await page.getByRole('option', { name: 'planets', exact: true, selected: true }).waitFor();
  // A completion list takes no key in its first moment.
  await page.waitForTimeout(100);
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+Enter');
  await results(page).getByText('10 rows').waitFor();

  await page.keyboard.press('ControlOrMeta+/');
  const lines = () => page.locator('.cm-line').allTextContents();
  await expect.poll(lines).toEqual(['SELECT name -- from ', '-- FROM planets']);
  await page.keyboard.press('ControlOrMeta+/');
  await expect.poll(lines).toEqual(['SELECT name -- from ', 'FROM planets']);
});

sharedJourney(
  'the completion list closes when the statement runs',
  async ({ page }) => {
    await openEditor(page);
    await page.keyboard.type('SELECT na');
    const offers = page.getByRole('listbox', { name: 'Completions' });
    await offers.waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    await results(page).getByText('no such column: na').waitFor();
    expect(await offers.count()).toBe(0);
  },
  { allow: refusedRequest },
);

sharedJourney('cancel ends the driver’s process, and the next statement runs', async ({ page, app }) => {
  await openEditor(page);
  const host = await onlyHost(app);
  await run(page, endless);
  // Leave the editor only when the Cancel button is there, because Tab indents again two seconds after Escape.
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  await leaveEditor(page);
  await press(page.getByRole('button', { name: 'Cancel' }), { back: true });
  await results(page)
    .getByText(/^Cancelled after/)
    .waitFor();
  await expect.poll(app.hosts).not.toContain(host);
  expect((await app.status()).state).toBe('running');

  await tabTo(page.getByRole('textbox', { name: 'Query 1' }));
  await run(page, 'SELECT 6 * 7 AS answer');
  await results(page).getByText('1 row').waitFor();
  await expect.poll(() => gridOf(page, 'Result').texts('answer')).toEqual(['42']);
  expect(app.hosts()).toHaveLength(1);
});

sharedJourney(
  'if the driver is killed, a message names the driver, and the next statement runs',
  async ({ page, app }) => {
    await openEditor(page);
    const host = await onlyHost(app);
    await run(page, endless);
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    process.kill(host, 'SIGKILL');
    await results(page)
      .getByText(/^The SQLite driver/)
      .waitFor();
    await run(page, 'SELECT 6 * 7 AS answer');
    await results(page).getByText('1 row').waitFor();
    await expect.poll(() => gridOf(page, 'Result').texts('answer')).toEqual(['42']);
  },
  { allow: refusedRequest },
);

sharedJourney('if a result cannot be copied, a message gives the reason', async ({ page }) => {
  await openEditor(page);
  await run(page, 'SELECT 1 AS one');
  await results(page).getByText('1 row').waitFor();
  await page.evaluate(() => {
    const writeText = () => Promise.reject(new Error('The document is not focused.'));
    Object.defineProperty(navigator.clipboard, 'writeText', { value: writeText, configurable: true });
  });
  try {
    await leaveEditor(page);
    await press(results(page).getByRole('button', { name: 'Copy as JSON' }));
    const toast = page.locator('[data-toast]').filter({ hasText: 'The result was not copied' });
    await expect.poll(() => toast.textContent()).toContain('The document is not focused.');
  } finally {
    // Restores the browser's own function, which is on the prototype.
    await page.evaluate(() => Reflect.deleteProperty(navigator.clipboard, 'writeText'));
  }
});

sharedJourney('a held Mod+Enter runs the statement once', async ({ page }) => {
  await openEditor(page);
  await run(page, 'CREATE TABLE pressed (n)');
  await results(page).getByText('Done').waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('INSERT INTO pressed VALUES (1)');
  await page.keyboard.down('ControlOrMeta');
  for (let repeats = 0; repeats < 8; repeats++) {
    await page.keyboard.down('Enter');
    await results(page).getByText('1 row affected').waitFor();
  }
  await page.keyboard.down('Shift');
  for (let repeats = 0; repeats < 4; repeats++) await page.keyboard.down('Enter');
  await page.keyboard.up('Shift');
  await page.keyboard.up('Enter');
  await page.keyboard.up('ControlOrMeta');
  await run(page, 'SELECT count(*) AS n FROM pressed');
  await expect.poll(() => gridOf(page, 'Result').texts('n')).toEqual(['1']);
});

sharedJourney(
  'the app asks before a destructive statement, and does not run it if the user declines',
  async ({ page }) => {
    await openEditor(page);
    await run(page, 'DELETE FROM unit_conversions');
    const question = page.getByRole('alertdialog', { name: 'Run this destructive statement?' });
    await question.waitFor();
    await expect.poll(() => question.textContent()).toContain('unit_conversions');
    await expect.poll(() => question.getByRole('button', { name: 'Cancel' }).evaluate(isFocused)).toBe(true);
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await run(page, 'SELECT count(*) AS n FROM unit_conversions');
    await results(page).getByText('1 row').waitFor();
    await expect.poll(() => gridOf(page, 'Result').texts('n')).toEqual(['30']);

    await run(page, 'DELETE FROM unit_conversions');
    await press(question.getByRole('button', { name: 'Run it' }));
    await results(page).getByText('30 rows affected').waitFor();
  },
);

sharedJourney(
  'by mouse: a double click answers only one question of several',
  async ({ page }) => {
    await openEditor(page);
    await page.keyboard.insertText('DELETE FROM unit_conversions WHERE 1 = 0; DROP TABLE unit_conversions');
    await page.keyboard.press('Shift+ControlOrMeta+Enter');
    const question = page.getByRole('alertdialog', { name: 'Run this destructive statement?' });
    const yes = question.getByRole('button', { name: 'Run it' });
    await question.getByText('DELETE FROM', { exact: false }).first().waitFor();
    await yes.click();
    await question.getByText('DROP TABLE', { exact: false }).first().waitFor();
    await yes.hover();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await press(question.getByRole('button', { name: 'Cancel' }), { back: true });
    await question.waitFor({ state: 'detached' });
    await results(page).getByText('One statement did not run').waitFor();
  },
  { allow: /The mouse was used/ },
);

sharedJourney('the history finds a statement and puts it back into the editor', async ({ page }) => {
  await openEditor(page);
  await run(page, 'SELECT 1 AS first');
  await results(page).getByText('1 row').waitFor();
  await run(page, 'SELECT 2 AS second');
  await expect.poll(() => gridOf(page, 'Result').header('second').count()).toBe(1);
  await leaveEditor(page);
  await press(page.getByRole('button', { name: 'History' }), { back: true });
  const history = page.getByRole('complementary', { name: 'History' });
  await history.getByRole('button', { name: /SELECT 2/ }).waitFor();
  await tabTo(history.getByLabel('Search history'));
  await page.keyboard.type('first');
  await history.getByRole('button', { name: /SELECT 2/ }).waitFor({ state: 'detached' });
  await tabTo(history.getByRole('button', { name: /SELECT 1/ }));
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+a');
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Query 1' }).textContent())
    .toContain('SELECT 1 AS first');
  await leaveEditor(page);
  await press(history.getByRole('button', { name: 'Close history' }));
  await history.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('textbox', { name: 'Query 1' }).evaluate(isFocused)).toBe(true);
});

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}

sharedJourney(
  'the history says that older statements were removed, and leads to the storage limits',
  async ({ page, app }) => {
    await openEditor(page);
    const window = await openWindow(app);
    const { id } = await app.sample();
    for (let n = 0; n < 12; n++) await window.run(id, `SELECT ${n}`);
    await leaveEditor(page);
    await press(page.getByRole('button', { name: 'History' }), { back: true });
    const history = page.getByRole('complementary', { name: 'History' });
    await history.getByText('SELECT 0', { exact: true }).waitFor();
    expect(await history.getByRole('note').count()).toBe(0);
    await window.call('settings.update', { historyEntries: 10 });
    // The new limit removes the oldest statements. The list is updated with the next statement.
    await window.run(id, 'SELECT 12');
    await history.getByText(/^\d older statements were removed to stay within the storage limits/).waitFor();
    await history.getByText('SELECT 0', { exact: true }).waitFor({ state: 'detached' });
    await press(history.getByRole('button', { name: 'Storage limits' }));
    await page.getByRole('textbox', { name: 'Statements for each connection' }).waitFor();
  },
);
