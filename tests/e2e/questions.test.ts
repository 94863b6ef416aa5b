import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { importConnections } from './app.ts';
import { findings } from './axe.ts';
import { choose, press } from './browser.ts';
import { type Journey, openTable, sharedJourney } from './journey.ts';

/** Opens the connection Live, which has the word PROD and asks before each save. */
async function openLive({ app, page }: Journey): Promise<void> {
  const { file } = (await app.sample()).fields;
  const live = { name: 'Live', word: 'PROD', color: 'red', safeMode: 'confirm' };
  await importConnections(app, [{ ...live, driver: 'sqlite', fields: { file } }]);
  await press(page.getByRole('button', { name: /^Live/ }));
  await page.getByRole('button', { name: 'Table elements' }).waitFor();
}

/** A screen reader reads the description with the title. The description must name the connection and its word. */
async function expectNamed(question: Locator): Promise<void> {
  await question.waitFor();
  const id = await question.getAttribute('aria-describedby');
  const description = question.page().locator(`[id="${id}"]`);
  await expect.poll(() => description.textContent()).toContain('Connection: LivePROD');
}

const question = (page: Page, name: string) => page.getByRole('alertdialog', { name });

sharedJourney(
  'these dialogs name the connection and its word: save, close tab, import, destructive statement, clear history',
  async (at) => {
    const { page } = at;
    await openLive(at);
    await openTable(page, 'planets');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('Hermes');
    await page.keyboard.press('Enter');
    await page.getByText('1 edited').waitFor();

    await page.keyboard.press('ControlOrMeta+s');
    const save = page.getByRole('dialog', { name: 'Save these changes?' });
    await expectNamed(save);
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await save.waitFor({ state: 'detached' });

    await page.keyboard.press('Alt+w');
    const close = question(page, 'Close this tab and discard its changes?');
    await expectNamed(close);
    await page.keyboard.press('Escape');
    await close.waitFor({ state: 'detached' });

    await press(page.getByRole('button', { name: 'Import…' }), { back: true });
    const file = page.getByRole('dialog', { name: 'Import into planets' });
    await expectNamed(file);
    await page.keyboard.press('Escape');
    await file.waitFor({ state: 'detached' });

    await page.keyboard.press('Alt+n');
    await page.getByRole('textbox', { name: 'Query 1' }).waitFor();
    await page.keyboard.insertText('DELETE FROM moons');
    await page.keyboard.press('ControlOrMeta+Enter');
    const run = question(page, 'Run this destructive statement?');
    await expectNamed(run);
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await run.waitFor({ state: 'detached' });

    const editor = page.getByRole('textbox', { name: 'Query 1' });
    await expect.poll(() => editor.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('SELECT 1');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('region', { name: 'Results' }).getByText('1 row').waitFor();
    await page.keyboard.press('Alt+h');
    await page.getByRole('button', { name: /SELECT 1/ }).waitFor();
    // In the editor, Tab indents. After Escape, Tab leaves the editor.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await press(page.getByRole('button', { name: 'Clear history…' }));
    const clear = question(page, 'Clear the history of this connection?');
    await expectNamed(clear);
    await page.keyboard.press('Escape');
    await clear.waitFor({ state: 'detached' });
  },
);

sharedJourney(
  'before a table or a connection is deleted, the dialog names the connection and its word',
  async (at) => {
    const { page } = at;
    await openLive(at);
    await page.getByRole('button', { name: 'Table moons' }).focus();
    await page.keyboard.press('Shift+F10');
    await choose(page.getByRole('menuitem', { name: 'Delete…' }));
    const table = page.getByRole('alertdialog', { name: /^Delete \d+ rows\?$/ });
    await table.waitFor();
    await table.getByText('PROD', { exact: true }).waitFor();
    await table.getByText('This deletes the table moons from Live.').waitFor();
    await page.keyboard.press('Escape');
    await table.waitFor({ state: 'detached' });

    await press(page.getByRole('button', { name: 'Connections' }), { back: true });
    await press(page.getByRole('button', { name: 'More for Live' }));
    await choose(page.getByRole('menuitem', { name: 'Delete…' }));
    await expectNamed(question(page, 'Delete the connection “Live”?'));
    await page.keyboard.press('Escape');
  },
);
