import { expect } from 'vitest';
import { findingsInBothThemes as findings } from './axe.ts';
import { choose, press } from './browser.ts';
import { gridOf } from './grid.ts';
import { journey, sharedJourney } from './journey.ts';

journey('the first screen offers a search that finds the right rows', async ({ page }) => {
  await press(page.getByRole('button', { name: /hot, dry places/ }), { back: true });
  await page.getByText('Search results for “hot, dry places”').waitFor();
  const grid = gridOf(page, 'Rows of Species');
  await expect.poll(async () => (await grid.texts('commonName')).slice(0, 5)).toContain('Dromedary');

  // Once the sample is open, each suggested search shows its best rows.
  await press(page.getByRole('button', { name: 'Connections', exact: true }), { back: true });
  await page.getByRole('listitem').filter({ hasText: 'Dromedary' }).first().waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Theremin' }).first().waitFor();
  expect(await findings(page)).toEqual([]);

  // A second suggestion searches another collection.
  await press(page.getByRole('button', { name: /musical instruments/ }), { back: true });
  await page.getByText('Search results for “musical instruments”').waitFor();

  // Without the sample there is nothing to search, so no search is suggested.
  await press(page.getByRole('button', { name: 'Connections', exact: true }), { back: true });
  await press(page.getByRole('button', { name: 'More for Sample: Weaviate' }));
  await choose(page.getByRole('menuitem', { name: 'Delete…' }));
  await press(page.getByRole('alertdialog').getByRole('button', { name: 'Delete connection' }));
  await page.getByRole('heading', { name: /^Try a search/ }).waitFor({ state: 'detached' });
});

sharedJourney(
  'a connection opens on its collections, each with its number of objects or the word Tenants',
  async ({ page }) => {
    await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
    const card = page.getByRole('button', { name: /^Mission ?170 ?objects/ });
    await card.waitFor();
    await page
      .getByRole('button', { name: /^MuseumNote/ })
      .getByText('Tenants')
      .waitFor();
    expect(await findings(page)).toEqual([]);
    await press(card);
    await page.getByRole('grid', { name: 'Rows of Mission' }).waitFor();

    await press(page.getByRole('button', { name: 'Home of Sample: Weaviate' }), { back: true });
    await card.waitFor();
    expect(await page.getByRole('tab', { name: 'Mission' }).getAttribute('aria-selected')).toBe('false');
  },
);

sharedJourney(
  'Disconnect in the list of connections ends the session, and the connection stays in the rail',
  async ({ page, app }) => {
    await press(page.getByRole('button', { name: /^Sample: SQLite/ }));
    await page.getByRole('button', { name: 'Table planets', exact: true }).waitFor();
    await press(page.getByRole('button', { name: 'Connections', exact: true }), { back: true });
    await press(page.getByRole('button', { name: 'More for Sample: SQLite' }));
    await choose(page.getByRole('menuitem', { name: 'Disconnect' }));
    await expect.poll(app.hosts).toEqual([]);
    await page.getByRole('button', { name: 'Go to Sample: SQLite' }).waitFor();
  },
);

sharedJourney('the list of shortcuts opens and closes by its own shortcut', async ({ page }) => {
  await page.getByRole('heading', { name: 'Connections' }).waitFor();
  await page.keyboard.press('ControlOrMeta+/');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await sheet.getByText('Rows similar to this one').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('ControlOrMeta+/');
  await sheet.waitFor({ state: 'detached' });
  await page.keyboard.press('ControlOrMeta+p');
  await page.getByPlaceholder('Table, connection or command').fill('shortcuts');
  await choose(page.getByRole('option', { name: /^Keyboard shortcuts/ }));
  await sheet.waitFor();
});
