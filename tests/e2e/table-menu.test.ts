import { expect } from 'vitest';
import { findings } from './axe.ts';
import { choose, press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { openSample, refusedRequest, sharedJourney } from './journey.ts';

sharedJourney(
  'the menu of a table in the sidebar opens by keyboard and by mouse',
  async ({ page }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await openSample(page);
    const table = page.getByRole('button', { name: 'Table moons' });
    const open = async () => {
      await table.focus();
      await page.keyboard.press('Shift+F10');
      await page.getByRole('menu').waitFor();
    };
    await open();
    expect(await findings(page)).toEqual([]);
    await choose(page.getByRole('menuitem', { name: 'Structure' }));
    await page.getByRole('region', { name: 'Structure of moons' }).waitFor();
    await table.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Open' }).click();
    await gridOf(page, 'Rows of moons').locator.waitFor();
    await open();
    await choose(page.getByRole('menuitem', { name: 'Copy name' }));
    await page.getByText('“moons” is copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('moons');
    await open();
    await choose(page.getByRole('menuitem', { name: 'Export…' }));
    await page.getByRole('dialog', { name: 'Export moons' }).waitFor();
    await page.keyboard.press('Escape');
    await open();
    await choose(page.getByRole('menuitem', { name: 'New query' }));
    await page.getByRole('textbox', { name: 'Query 1' }).waitFor();
  },
  { allow: /The mouse was used/ },
);

sharedJourney(
  'the dialog that deletes a table counts the lost rows, and requires the name of the table',
  async ({ page }) => {
    await openSample(page);
    const table = page.getByRole('button', { name: 'Table unit_conversions' });
    await page.route('**/tables.measure*', (route) => route.fulfill({ status: 422, json: {} }));
    await table.focus();
    await page.keyboard.press('Shift+F10');
    await choose(page.getByRole('menuitem', { name: 'Delete…' }));
    const retry = page.getByRole('alertdialog').getByRole('button', { name: 'Retry' });
    await retry.waitFor();
    await page.unroute('**/tables.measure*');
    await press(retry);
    const dialog = page.getByRole('alertdialog', { name: /^Delete \d+ rows\?$/ });
    await dialog.waitFor();
    await expect
      .poll(() => dialog.getByRole('region', { name: 'Lost for good' }).textContent())
      .toContain('of unit_conversions');
    const remove = dialog.getByRole('button', { name: 'Delete unit_conversions' });
    expect(await remove.getAttribute('aria-disabled')).toBe('true');
    expect(await findings(page)).toEqual([]);
    await tabTo(dialog.getByLabel('Type unit_conversions to confirm'));
    await page.keyboard.type('unit_conversions');
    await page.route('**/tables.measure*', (route) => route.fulfill({ status: 422, json: {} }));
    await press(remove);
    await retry.waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(1);
    await page.unroute('**/tables.measure*');
    await press(remove);
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('The table unit_conversions is deleted').waitFor();
    await table.waitFor({ state: 'detached' });
  },
  { allow: refusedRequest },
);

sharedJourney('a chosen density of rows is applied, and is kept over a reload', async ({ page }) => {
  await openSample(page);
  await page.getByRole('button', { name: 'Table planets' }).focus();
  await page.keyboard.press('Enter');
  const row = page.getByRole('grid', { name: 'Rows of planets' }).getByRole('rowheader').first();
  const height = async () => Math.round((await row.boundingBox())?.height ?? 0);
  await expect.poll(height).toBe(26);
  for (const [name, expected] of [
    ['Compact', 22],
    ['Comfortable', 30],
  ] as const) {
    await page.keyboard.press('ControlOrMeta+,');
    await tabTo(page.getByRole('combobox', { name: 'Density' }));
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name }).waitFor();
    await page.keyboard.press('Home');
    await choose(page.getByRole('option', { name }));
    await page.keyboard.press('Escape');
    await expect.poll(height).toBe(expected);
  }
  await page.reload();
  await expect.poll(height).toBe(30);
});

sharedJourney(
  'a connection shows its word, such as PROD, in the rail, in the sidebar and above the tabs',
  async ({ page, app }) => {
    const { file } = (await app.sample()).fields;
    await app.json(
      'connections',
      'add',
      '--driver',
      'sqlite',
      '--name',
      'Live',
      '--file',
      file,
      '--word',
      'PROD',
      '--color',
      'red',
    );
    await press(page.getByRole('button', { name: /^Live/ }));
    await page.getByRole('heading', { name: 'Live PROD' }).waitFor();
    expect(await page.getByText('PROD', { exact: true }).count()).toBe(3);
    expect(await findings(page)).toEqual([]);
  },
);
