import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { findingsInBothThemes as findings } from './axe.ts';
import { choose, press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { openSample, openTable, refusedRequest, sharedJourney } from './journey.ts';
import { moveToTab } from './settings.ts';

describe('axe finds nothing in either theme', () => {
  const options = { allow: refusedRequest };

  sharedJourney(
    'welcome screen, list of database types and connection form',
    async ({ page, app }) => {
      await page.getByRole('button', { name: /^Sample: SQLite/ }).waitFor();
      expect(await findings(page)).toEqual([]);
      await press(page.getByRole('button', { name: /^More for Sample: SQLite/ }));
      await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');

      await press(page.getByRole('button', { name: 'New connection' }), { back: true });
      const dialog = page.getByRole('dialog', { name: 'New connection' });
      await dialog.getByRole('button', { name: /^SQLite/ }).waitFor();
      expect(await findings(page)).toEqual([]);
      await press(dialog.getByRole('button', { name: /^SQLite/ }));
      await press(dialog.getByRole('button', { name: /^Advanced/ }));
      await dialog.getByText('AI Policy').waitFor();
      await press(dialog.getByRole('button', { name: 'Save & open' }));
      await dialog
        .getByRole('textbox', { name: 'Database file' })
        .and(page.locator('[aria-invalid]'))
        .waitFor();
      expect(await findings(page)).toEqual([]);

      await tabTo(dialog.getByRole('textbox', { name: 'Database file' }));
      await page.keyboard.type(join(app.folder, 'nowhere.db'));
      await press(dialog.getByRole('button', { name: 'Test connection' }));
      await dialog.getByText(/^Connection failed/).waitFor();
      expect(await findings(page)).toEqual([]);
      await press(dialog.getByRole('button', { name: 'Browse…' }));
      await page.getByRole('dialog', { name: 'Choose: Database file' }).waitFor();
      expect(await findings(page)).toEqual([]);
    },
    options,
  );

  sharedJourney(
    'table, filter bar, editors and changes',
    async ({ page }) => {
      await openSample(page);
      expect(await findings(page)).toEqual([]);
      await openTable(page, 'planets');
      const grid = gridOf(page, 'Rows of planets');
      await grid.focus();
      expect(await findings(page)).toEqual([]);

      await page.keyboard.press('ControlOrMeta+Shift+f');
      await tabTo(page.getByLabel('Operator of filter 1'), { back: true });
      await page.keyboard.press('Enter');
      await page.getByRole('option', { name: 'contains', exact: true }).waitFor();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await tabTo(page.getByLabel('Column of filter 1'), { back: true });
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option', { name: /^name/ }).waitFor();
      expect(await findings(page, 'combobox')).toEqual([]);
      await page.keyboard.press('Escape');
      await tabTo(page.getByLabel('Value of filter 1'));
      await page.keyboard.press('Escape');

      await grid.focus();
      for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowRight');
      await page.keyboard.type('big');
      await page.getByRole('alert').waitFor();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await grid.focused();
      await page.keyboard.press('Shift+Enter');
      await page.getByRole('dialog', { name: 'Value of radius_km' }).waitFor();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await grid.focused();
      await page.keyboard.press('Shift+F10');
      await page.getByRole('menu').waitFor();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await grid.focused();

      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.type('Venus');
      await page.keyboard.press('Enter');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Delete');
      await page.keyboard.press('ControlOrMeta+i');
      await page.getByText('1 edited, 1 new, 1 deleted').waitFor();
      await page.keyboard.press('ControlOrMeta+s');
      await expect.poll(async () => (await grid.rowHeaders()).join()).toContain('not saved');
      expect(await findings(page)).toEqual([]);
      await press(page.getByRole('button', { name: 'Preview' }));
      await page.getByRole('list', { name: 'Statements' }).waitFor();
      expect(await findings(page)).toEqual([]);
    },
    options,
  );

  sharedJourney(
    'editor, results, history and the question before a DROP',
    async ({ page }) => {
      await openSample(page);
      await page.keyboard.press('Alt+n');
      await page.getByRole('textbox', { name: 'Query 1' }).waitFor();
      expect(await findings(page)).toEqual([]);
      const run = async (text: string) => {
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.insertText(text);
        await page.keyboard.press('ControlOrMeta+Enter');
      };
      await run("SELECT name, radius_km, -1 AS n, NULL AS x, '' AS y FROM moons -- all of them");
      await page.getByText('75 rows').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await press(page.getByRole('button', { name: 'History' }), { back: true });
      await page.getByRole('complementary', { name: 'History' }).getByText('75 rows').waitFor();
      expect(await findings(page)).toEqual([]);
      await tabTo(page.getByRole('textbox', { name: 'Query 1' }));
      await run('SELECT * FROM nowhere');
      await page.getByText('no such table: nowhere').waitFor();
      expect(await findings(page)).toEqual([]);
      await run('DROP TABLE moons');
      await page.getByRole('alertdialog').waitFor();
      expect(await findings(page)).toEqual([]);
    },
    options,
  );

  sharedJourney(
    'settings, tokens and the palette',
    async ({ page }) => {
      await page.getByRole('button', { name: /^Sample: SQLite/ }).waitFor();
      await page.keyboard.press('ControlOrMeta+p');
      await page.getByRole('option', { name: /^New connection/ }).waitFor();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      await page.keyboard.press('ControlOrMeta+Comma');
      await tabTo(page.getByRole('tab', { name: 'General' }));
      await page.getByLabel('Statement timeout in seconds').waitFor();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('ArrowDown');
      await tabTo(page.getByRole('tab', { name: 'Server' }));
      await moveToTab(page, 'Authentication');
      await press(page.getByRole('button', { name: 'New token' }));
      const form = page.getByRole('dialog', { name: 'New token' });
      await form.waitFor();
      expect(await findings(page)).toEqual([]);
      await tabTo(form.getByRole('textbox', { name: 'Name' }));
      await page.keyboard.type('Laptop');
      await press(form.getByRole('button', { name: 'Create token' }));
      const shown = page.getByRole('dialog', { name: 'Token “Laptop”' });
      await shown.waitFor();
      expect(await findings(page)).toEqual([]);
      await press(shown.getByRole('button', { name: 'Done' }));
      await shown.waitFor({ state: 'detached' });
      expect(await findings(page)).toEqual([]);
      await press(page.getByRole('button', { name: 'More for Laptop' }));
      await choose(page.getByRole('menuitem', { name: 'Revoke…' }));
      await page.getByRole('alertdialog').waitFor();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
      await tabTo(page.getByRole('tab', { name: 'Integrations' }), { back: true });
      await page.keyboard.press('ArrowDown');
      await page.getByRole('heading', { name: 'Registry' }).waitFor();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('End');
      await page.getByRole('heading', { name: 'About Trestle' }).waitFor();
      expect(await findings(page)).toEqual([]);
    },
    options,
  );
});
