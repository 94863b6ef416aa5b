import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { importConnections } from './app.ts';
import { findingsInBothThemes as findings } from './axe.ts';
import { press } from './browser.ts';
import { gridOf } from './grid.ts';
import { journey, openTable, sharedJourney } from './journey.ts';

/** A window of 1440 by 900 pixels at 200 % zoom. */
const narrow = { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 };
const smallest = { width: 512, height: 320 };
const wide = { width: 1280, height: 800 };

const sidebar = (page: Page) => page.getByRole('complementary', { name: /^Sample: / });
const card = (page: Page, name: string) => page.locator('[data-home] li button').filter({ hasText: name });

async function focused(target: Locator): Promise<void> {
  await target.waitFor();
  await expect.poll(() => target.evaluate((element) => element === document.activeElement)).toBe(true);
}

async function widthOf(target: Locator): Promise<number> {
  return Math.round((await target.boundingBox())!.width);
}

journey(
  'in a narrow window the rows take most of the width, and the sidebar closes after use',
  async ({ page }) => {
    await press(page.getByRole('button', { name: /^Sample: SQLite/ }));
    const first = page.locator('[data-home] li button').first();
    await focused(first);
    expect(await sidebar(page).count()).toBe(0);

    await page.keyboard.press('ControlOrMeta+b');
    await focused(sidebar(page).getByRole('listitem').first().getByRole('button'));
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await sidebar(page).waitFor({ state: 'detached' });
    await focused(first);

    // Opening a table closes the sidebar.
    await page.keyboard.press('ControlOrMeta+b');
    await openTable(page, 'planets');
    await sidebar(page).waitFor({ state: 'detached' });
    const grid = gridOf(page, 'Rows of planets');
    await grid.focused();
    const frame = page.locator('[data-grid-frame]');
    expect(await widthOf(frame)).toBeGreaterThanOrEqual(0.8 * narrow.viewport.width);

    // Choosing the active table again closes the sidebar too.
    await press(page.getByRole('button', { name: 'Show sidebar' }), { back: true });
    await focused(sidebar(page).getByRole('button', { name: 'Table planets' }));
    await page.keyboard.press('Enter');
    await sidebar(page).waitFor({ state: 'detached' });
    await grid.focused();
    const show = page.getByRole('button', { name: 'Show sidebar' });
    await press(show, { back: true });
    await press(sidebar(page).getByRole('button', { name: 'Hide sidebar' }));
    await sidebar(page).waitFor({ state: 'detached' });
    await focused(show);
  },
  narrow,
);

sharedJourney(
  'the width and state of the sidebar in a wide window survive a narrow one',
  async ({ page }) => {
    await press(page.getByRole('button', { name: /^Sample: SQLite/ }));
    await sidebar(page).getByRole('button', { name: 'Table planets' }).waitFor();
    const usual = await widthOf(sidebar(page));
    await page.getByRole('separator', { name: 'Width of the sidebar' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => widthOf(sidebar(page))).toBeGreaterThan(usual);
    const chosen = await widthOf(sidebar(page));

    await page.setViewportSize(narrow.viewport);
    await sidebar(page).waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+b');
    await sidebar(page).waitFor();
    await page.setViewportSize(wide);
    await expect.poll(() => widthOf(sidebar(page))).toBe(chosen);
    // The sidebar that was open over the rows is closed now.
    await page.setViewportSize(narrow.viewport);
    await sidebar(page).waitFor({ state: 'detached' });
    await page.setViewportSize(wide);
    await sidebar(page).waitFor();

    await page.keyboard.press('ControlOrMeta+b');
    await sidebar(page).waitFor({ state: 'detached' });
    const stored = page.waitForResponse((answer) => /records/.test(answer.url()) && answer.ok());
    await card(page, 'planets').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('grid', { name: 'Rows of planets' }).waitFor();
    await stored;
    await page.reload();
    await page.getByRole('grid', { name: 'Rows of planets' }).waitFor();
    expect(await sidebar(page).count()).toBe(0);
    await page.keyboard.press('ControlOrMeta+b');
    await expect.poll(() => widthOf(sidebar(page))).toBe(chosen);
  },
  { viewport: wide },
);

sharedJourney(
  'in a narrow window without a sidebar, a failed connection offers Try again and Edit',
  async ({ app, page }) => {
    const fields = { file: join(app.folder, 'missing.db') };
    await importConnections(app, [{ name: 'Gone', driver: 'sqlite', fields }]);
    await press(page.getByRole('button', { name: /^Gone/ }));
    const alert = page.getByRole('alert');
    await alert.getByRole('button', { name: 'Try again' }).waitFor();
    await press(alert.getByRole('button', { name: 'Edit' }));
    await page.getByRole('dialog', { name: 'Edit connection' }).waitFor();
  },
  { viewport: narrow.viewport, allow: /Failed to load resource/ },
);

const views = ['Rows', 'Structure', 'Map', 'Compare', 'Neighbours'];

/** The views whose buttons are not fully visible. Does not scroll. */
function cutOff(page: Page): Promise<string[]> {
  return page
    .getByRole('group', { name: 'View' })
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons
        .filter((button) => {
          const { left, right, top } = button.getBoundingClientRect();
          const at = document.elementFromPoint((left + right) / 2, top + 8);
          return left < 0 || right > innerWidth || !(at && button.contains(at));
        })
        .map((button) => button.textContent ?? ''),
    );
}

journey(
  'in a narrow window, no view button is cut off in any view of a table, and a row of the map has room',
  async ({ page }) => {
    await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
    await focused(page.locator('[data-home] li button').first());
    await page.keyboard.press('ControlOrMeta+b');
    await openTable(page, 'Species');
    for (const view of views) {
      const button = page.getByRole('button', { name: view, exact: true });
      await press(button, { back: true });
      await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
      expect(await cutOff(page), view).toEqual([]);
      // In a window at least 700 px wide, the bar needs no scrolling.
      const controls = page.locator('[data-bar-controls]');
      await expect
        .poll(() => controls.evaluate((element) => element.scrollWidth - element.clientWidth))
        .toBe(0);
      await page.setViewportSize(smallest);
      await expect.poll(() => cutOff(page), { message: view }).toEqual([]);
      await page.setViewportSize(narrow.viewport);
    }

    // A row of the map is shown beside the map, or over the map if there is no room.
    await press(page.getByRole('button', { name: 'Map', exact: true }), { back: true });
    await page.getByText(/^\d+ points$/).waitFor();
    const map = page.getByRole('application', { name: /^Map of/ });
    await map.focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    const inspector = page.getByRole('complementary', { name: 'Row inspector' });
    await inspector.waitFor();
    await expect.poll(() => widthOf(map)).toBeLessThan(400);
    expect(await widthOf(map)).toBeGreaterThanOrEqual(300);
    const inside = async (name: string) => {
      const [outer, inner] = await Promise.all([
        map.boundingBox(),
        page.getByRole('toolbar', { name }).boundingBox(),
      ]);
      return inner!.x >= outer!.x && inner!.x + inner!.width <= outer!.x + outer!.width;
    };
    expect(await inside('Map')).toBe(true);
    await page.setViewportSize(smallest);
    await expect.poll(() => widthOf(inspector)).toBeGreaterThan(420);
    await page.keyboard.press('Escape');
    await inspector.waitFor({ state: 'detached' });
    expect(await widthOf(map)).toBeGreaterThan(420);
  },
  narrow,
);
