import { expect } from 'vitest';
import { choose, press, tabTo } from './browser.ts';
import { addFilter } from './filter.ts';
import { gridOf } from './grid.ts';
import { openSample, openTable, sharedJourney } from './journey.ts';

sharedJourney('opens the sample, a table, and moves in its rows', async ({ page, app }) => {
  await openSample(page);
  expect(app.hosts()).toHaveLength(1);
  await openTable(page, 'planets');
  const grid = gridOf(page, 'Rows of planets');
  await expect
    .poll(() => grid.texts('name'))
    .toEqual([
      ...['Mercury', 'Venus', 'Earth', 'Mars', 'Jupiter', 'Saturn', 'Uranus', 'Neptune', 'Ceres', 'Pluto'],
    ]);
  await page.getByText('1–10 of 10').waitFor();
  await grid.focus();
  await expect.poll(() => grid.active()).toBe('1');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => grid.active()).toBe('Venus');
  await page.keyboard.press('ControlOrMeta+End');
  await expect.poll(() => grid.active()).toBe('["nitrogen","methane","carbon monoxide"]');
});

sharedJourney('a table shows placeholder rows until its description arrives', async ({ page }) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/tables.describe*', async (route) => {
    await released;
    await route.continue().catch(() => {});
  });
  await openSample(page);
  const opened = openTable(page, 'planets');
  await page.locator('[data-skeleton]').waitFor();
  release();
  await opened;
  await page.locator('[data-skeleton]').waitFor({ state: 'detached' });
});

sharedJourney(
  'the palette gets letters that were typed before it has the focus, and no cell is edited',
  async ({ page }) => {
    await openSample(page);
    await openTable(page, 'elements');
    await gridOf(page, 'Rows of elements').focus();
    // All keys come in one task, before the palette's field can get the focus.
    await page.evaluate(() => {
      const type = (key: string, more: KeyboardEventInit = {}) =>
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
        );
      type('p', { code: 'KeyP', ctrlKey: true });
      for (const letter of 'planets') type(letter);
      type('Enter');
    });
    const field = page.getByRole('combobox', { name: 'Open anything' });
    await expect.poll(() => field.inputValue()).toBe('planets');
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('grid', { name: 'Rows of planets' }).waitFor();
    expect(await page.getByText('1 edited').count()).toBe(0);
  },
);

sharedJourney('filters by column, operator and value, and shows the applied filter', async ({ page }) => {
  await openSample(page);
  await openTable(page, 'elements');
  const grid = gridOf(page, 'Rows of elements');
  await page.keyboard.press('ControlOrMeta+Shift+f');

  await tabTo(page.getByLabel('Column of filter 1'), { back: true });
  await page.keyboard.type('category');
  await choose(page.getByRole('option', { name: 'category' }));
  await tabTo(page.getByLabel('Operator of filter 1'));
  await page.keyboard.press('Enter');
  await choose(page.getByRole('option', { name: 'contains', exact: true }));
  await tabTo(page.getByLabel('Value of filter 1'));
  await page.keyboard.type('noble');
  await expect.poll(() => page.getByText('Not applied').count()).toBe(1);
  await page.keyboard.press('Enter');
  await page.getByText('1–6 of 6').waitFor();
  await expect.poll(() => grid.texts('symbol')).toEqual(['He', 'Ne', 'Ar', 'Kr', 'Xe', 'Rn']);
  await page.getByRole('button', { name: 'Edit filter 1: category contains noble' }).waitFor();
  await page.getByRole('search').waitFor({ state: 'detached' });
  await grid.focused();

  await page.keyboard.press('ControlOrMeta+Shift+f');
  await page.getByText('Applied', { exact: true }).waitFor();
  await press(page.getByRole('button', { name: 'Add filter' }));
  await tabTo(page.getByLabel('Value of filter 2'));
  await page.keyboard.type('1000');
  await page.keyboard.press('Enter');
  await page.getByText('No rows match the filters').waitFor();
  await press(page.getByRole('button', { name: 'Clear filters' }));
  await page.getByText('1–118 of 118').waitFor();
  await grid.focused();

  await page.keyboard.press('ControlOrMeta+Shift+f');
  await tabTo(page.getByLabel('Value of filter 1'));
  await page.keyboard.press('Escape');
  await page.getByRole('search').waitFor({ state: 'detached' });
  await grid.focused();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => grid.active()).toBe('2');
});

sharedJourney('a header sorts rows ascending, then descending, then not at all', async ({ page }) => {
  await openSample(page);
  await openTable(page, 'planets');
  const grid = gridOf(page, 'Rows of planets');
  await grid.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowUp');
  const sorted = async () => [
    await grid.header('name').getAttribute('aria-sort'),
    (await grid.texts('name'))[0],
  ];
  await page.keyboard.press('Enter');
  await expect.poll(sorted).toEqual(['ascending', 'Ceres']);
  await page.keyboard.press('Enter');
  await expect.poll(sorted).toEqual(['descending', 'Venus']);
  await page.keyboard.press('Enter');
  await expect.poll(sorted).toEqual(['none', 'Mercury']);
});

sharedJourney(
  'Shift+Enter on a header adds a second sort column, and the headers are numbered',
  async ({ page }) => {
    await openSample(page);
    await openTable(page, 'moons');
    const grid = gridOf(page, 'Rows of moons');
    await grid.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => grid.header('planet_id').getAttribute('aria-sort')).toBe('ascending');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+Enter');
    await expect.poll(() => grid.header('name').getAttribute('aria-sort')).toBe('ascending');
    expect(await grid.header('planet_id').getAttribute('aria-sort')).toBe('ascending');
    await expect.poll(() => grid.header('planet_id').textContent()).toMatch(/1$/);
    await expect.poll(() => grid.header('name').textContent()).toMatch(/2$/);
  },
);

sharedJourney('pages forward and back after a change of the page size', async ({ page }) => {
  await openSample(page);
  await openTable(page, 'elements');
  await page.getByText('1–118 of 118').waitFor();
  await tabTo(page.getByLabel('Rows per page'));
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: '100 rows' }).waitFor();
  await page.keyboard.press('Home');
  await choose(page.getByRole('option', { name: '100 rows' }));
  await page.getByText('1–100 of 118').waitFor();
  await press(page.getByRole('button', { name: 'Next page' }));
  await page.getByText('101–118 of 118').waitFor();
  await expect.poll(() => gridOf(page, 'Rows of elements').texts('symbol')).toContain('Md');
  // On the last page, “Next page” is disabled, and the focus goes to the rows.
  await gridOf(page, 'Rows of elements').focused();
  await press(page.getByRole('button', { name: 'First page' }));
  await page.getByText('1–100 of 118').waitFor();
});

sharedJourney(
  'text typed while an earlier part of it is being stored survives a reload',
  async ({ page }) => {
    await openSample(page);
    await page.keyboard.press('Alt+n');
    const editor = page.getByRole('textbox', { name: 'Query 1' });
    await editor.waitFor();
    let stored = 0;
    // The app receives the start of the text, but the window gets no answer.
    await page.route('**/records.write*', async (route) => {
      if (!route.request().postData()?.includes('SELECT')) return route.continue();
      if (stored++ > 0) return route.continue();
      await route.fetch();
    });
    await page.keyboard.type('SELECT 4');
    await expect.poll(() => stored).toBe(1);
    await page.keyboard.type('2, 43');
    await page.reload();
    await expect.poll(() => editor.textContent()).toBe('SELECT 42, 43');
  },
);

sharedJourney('a reload restores tabs, the text of a query and unsaved edits', async ({ page }) => {
  await openSample(page);
  await openTable(page, 'planets');
  const grid = gridOf(page, 'Rows of planets');
  await grid.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('Hermes');
  await page.keyboard.press('Enter');
  await page.getByText('1 edited').waitFor();
  await page.keyboard.press('Alt+n');
  await page.getByRole('textbox', { name: 'Query 1' }).waitFor();
  await page.keyboard.type('SELECT 42');
  await page.reload();

  const editor = page.getByRole('textbox', { name: 'Query 1' });
  await editor.waitFor();
  await expect.poll(() => editor.textContent()).toBe('SELECT 42');
  await page.keyboard.press('Alt+1');
  await page.getByText('1 edited').waitFor();
  await expect.poll(async () => (await grid.texts('name'))[0]).toBe('Hermes');
});

sharedJourney(
  'by mouse a table opens as a preview, which the next one replaces unless it was used or kept',
  async ({ page }) => {
    await openSample(page);
    const entry = (table: string) => page.getByRole('button', { name: `Table ${table}`, exact: true });
    const tabs = () => page.getByRole('tab').allTextContents();
    const isPreview = (table: string) =>
      page
        .getByRole('tab', { name: table })
        .evaluate((tab) => getComputedStyle(tab.querySelector('span') ?? tab).fontStyle === 'italic');

    await entry('elements').click();
    await expect.poll(tabs).toEqual(['elements']);
    expect(await isPreview('elements')).toBe(true);
    await entry('planets').click();
    await expect.poll(tabs).toEqual(['planets']);

    // A filter is work that the next preview must not throw away.
    await gridOf(page, 'Rows of planets').locator.waitFor();
    await addFilter(page, 'name', 'Mars', 1);
    await page.getByText('1–1 of 1').waitFor();
    await expect.poll(() => isPreview('planets')).toBe(false);
    await entry('elements').click();
    await expect.poll(tabs).toEqual(['planets', 'elements']);

    // A double click keeps the tab.
    await entry('elements').dblclick();
    await expect.poll(() => isPreview('elements')).toBe(false);
    await entry('moons').click();
    await expect.poll(tabs).toEqual(['planets', 'elements', 'moons']);
    await page.getByRole('tab', { name: 'moons' }).dblclick();
    await expect.poll(() => isPreview('moons')).toBe(false);
  },
  { allow: /The mouse was used/ },
);

sharedJourney('the palette begins with the last tables, and sets the theme', async ({ page }) => {
  await openSample(page);
  await openTable(page, 'planets');
  const field = page.getByRole('combobox', { name: 'Open anything' });
  const command = async (name: string) => {
    await page.keyboard.press('ControlOrMeta+p');
    await field.waitFor();
    await page.keyboard.type(name);
    await page.getByRole('option', { name }).first().waitFor();
    await page.keyboard.press('Enter');
    await field.waitFor({ state: 'detached' });
  };

  await command('elements');
  await page.getByRole('grid', { name: 'Rows of elements' }).waitFor();
  await page.keyboard.press('ControlOrMeta+p');
  await page
    .getByRole('group', { name: 'Recent' })
    .getByRole('option', { name: /^planets/ })
    .waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('grid', { name: 'Rows of planets' }).waitFor();

  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  await command('Theme: Dark');
  await expect.poll(theme).toBe('dark');
  await command('Theme: Light');
  await expect.poll(theme).toBe('light');
  await command('Theme: As the system');
});
