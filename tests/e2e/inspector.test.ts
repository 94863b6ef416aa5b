import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findingsInBothThemes as findings } from './axe.ts';
import { choose, press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { openSample, openTable, sharedJourney } from './journey.ts';
import { openMissions } from './missions.ts';

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

const inspectorOf = (page: Page) => page.getByRole('complementary', { name: 'Row inspector' });

sharedJourney(
  'the inspector shows a row with its vector, follows the cursor, and stages edits',
  async ({ page }) => {
    const grid = await openMissions(page);
    await page.keyboard.press('Alt+i');
    const inspector = inspectorOf(page);
    const [first, second] = await grid.texts('name');
    await inspector.getByRole('heading', { name: first!, exact: true }).waitFor();
    const [uuid] = await grid.texts('uuid');
    await inspector.getByText(uuid!).first().waitFor();
    const vector = inspector.getByRole('region', { name: 'Vector vector' });
    await vector.getByText('356 dimensions').waitFor();
    await vector.getByText('Norm').waitFor();
    expect(await findings(page)).toEqual([]);

    // The focus stays in the grid, and the inspector shows the row of the active cell.
    await page.keyboard.press('ArrowDown');
    await inspector.getByRole('heading', { name: second!, exact: true }).waitFor();
    await page.keyboard.press('ArrowUp');
    await inspector.getByRole('heading', { name: first!, exact: true }).waitFor();

    await press(inspector.getByRole('button', { name: 'Copy vector vector' }));
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(JSON.parse(copied)).toHaveLength(356);

    await press(inspector.getByRole('button', { name: 'Edit name' }), { back: true });
    await inspector.getByRole('textbox', { name: 'Value of name' }).waitFor();
    await page.keyboard.type('From the inspector');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByText('1 edited').waitFor();
    await expect.poll(async () => (await grid.texts('name'))[0]).toBe('From the inspector');
    await press(inspector.getByRole('checkbox', { name: 'crewed' }), { key: 'Space' });
    await expect.poll(async () => inspector.getByRole('checkbox', { name: 'crewed' }).isChecked()).toBe(true);

    await press(inspector.getByRole('tab', { name: 'Properties' }), { back: true, key: 'ArrowRight' });
    const json = inspector.getByRole('region', { name: 'Row as JSON' });
    await expect.poll(() => json.textContent()).toContain('"name": "From the inspector"');
    await page.keyboard.press('Escape');
    await inspector.waitFor({ state: 'detached' });
    await grid.focused();
  },
  clipboard,
);

sharedJourney(
  'invalid text in a number column is marked, and is still there when the cursor returns to the row',
  async ({ page }) => {
    await openSample(page);
    await openTable(page, 'planets');
    const grid = gridOf(page, 'Rows of planets');
    await grid.focus();
    await page.keyboard.press('Alt+i');
    const inspector = inspectorOf(page);
    await inspector.getByRole('heading', { name: 'Mercury' }).waitFor();
    await press(inspector.getByRole('button', { name: 'Edit radius_km' }));
    await page.keyboard.type('big');
    await inspector.getByText('Expected a number such as 3.14').waitFor();
    expect(await findings(page)).toEqual([]);
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await inspector.getByRole('heading', { name: 'Venus' }).waitFor();
    expect(await inspector.getByRole('textbox').count()).toBe(0);
    await page.keyboard.press('ArrowUp');
    const field = inspector.getByRole('textbox', { name: 'Value of radius_km' });
    await expect.poll(() => field.inputValue()).toBe('big');
    await grid.focused();
    // A row that is marked for deletion cannot be changed. The text is back when the row is restored.
    await page.keyboard.press('Delete');
    await field.waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => field.inputValue()).toBe('big');
    await tabTo(field);
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await inspector.getByText('2439.7').waitFor();
  },
);

sharedJourney(
  'by mouse: the inspector opens from the bar, gets wider, is open again after a reload, and closes',
  async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openMissions(page);
    await page.getByRole('button', { name: 'Row inspector' }).click();
    const inspector = inspectorOf(page);
    // Two clicks on a checkbox change the value twice, and open no editor.
    await inspector.getByRole('checkbox', { name: 'crewed' }).dblclick();
    expect(await inspector.getByRole('textbox').count()).toBe(0);
    const width = async () => Math.round((await inspector.boundingBox())!.width);
    const before = await width();
    const isStored = (width: number) =>
      page.waitForRequest((request) => {
        const stored =
          /records\.write/.test(request.url()) && /"inspectorWidth":(\d+)/.exec(request.postData() ?? '');
        return Boolean(stored) && Number((stored as RegExpExecArray)[1]) > width;
      });
    const stored = isStored(before + 60);
    const edge = (await page.getByRole('separator', { name: 'Width of the row inspector' }).boundingBox())!;
    await page.mouse.move(edge.x, edge.y + 200);
    await page.mouse.down();
    let moves = 0;
    // On a busy machine, the browser may merge mouse moves, so the move is repeated until the inspector is wider.
    const drag = async () => {
      await page.mouse.move(edge.x - 80 - (moves++ % 3), edge.y + 200);
      return width();
    };
    await expect.poll(drag).toBeGreaterThan(before + 60);
    await page.mouse.up();
    const wider = await width();
    const title = await inspector.getByRole('heading').first().textContent();
    await inspector.getByRole('button', { name: 'Next row' }).click();
    await expect.poll(() => inspector.getByRole('heading').first().textContent()).not.toBe(title);
    await stored;
    await page.reload();
    await inspector.waitFor();
    await expect.poll(width).toBeGreaterThanOrEqual(wider - 2);
    await inspector.getByRole('button', { name: 'Close the row inspector' }).click();
    await inspector.waitFor({ state: 'detached' });
  },
  { allow: /The mouse was used/ },
);

sharedJourney(
  'in a small window the last column can be scrolled into view next to the inspector',
  async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 640 });
    const grid = await openMissions(page);
    await page.keyboard.press('ControlOrMeta+p');
    await page.keyboard.type('Row inspector');
    await choose(page.getByRole('option', { name: /^Row inspector/ }));
    const inspector = inspectorOf(page);
    await inspector.waitFor();
    await grid.focus();
    // In a narrow grid, the pinned key column shrinks or scrolls. Otherwise it could cover all other columns.
    for (const width of [1024, 700]) {
      await page.setViewportSize({ width, height: 640 });
      const isInSight = async () => {
        await page.keyboard.press('Home');
        await page.keyboard.press('End');
        return grid.header('vector').evaluate((element) => {
          const { left, top } = element.getBoundingClientRect();
          return element.contains(document.elementFromPoint(left + 20, top + 5));
        });
      };
      await expect.poll(isInSight).toBe(true);
    }
    await page.keyboard.press('Escape');
    await inspector.waitFor({ state: 'detached' });
  },
);

sharedJourney(
  'if the vector of a row out of view cannot be read, a Retry button appears and reads the vector',
  async ({ page }) => {
    const grid = await openMissions(page);
    await page.keyboard.press('Alt+i');
    const vector = inspectorOf(page).getByRole('region', { name: 'Vector vector' });
    await vector.getByText('356 dimensions').waitFor();
    const [first] = await grid.texts('name');
    const failing = Promise.withResolvers<void>();
    let held = 0;
    await page.route('**/data/readCells', async (route) => {
      held += 1;
      await failing.promise;
      // A request that the page has cancelled cannot be aborted.
      await route.abort().catch(() => {});
    });
    await page.keyboard.press('ControlOrMeta+End');
    // The inspector and the grid send one request each. The grid cancels its request when the rows are out of view.
    await expect.poll(() => held).toBe(2);
    await page
      .locator('[data-grid-frame] > div')
      .first()
      .evaluate((viewport) => viewport.scrollTo(0, 0));
    await expect.poll(async () => (await grid.texts('name'))[0]).toBe(first);
    failing.resolve();
    const retry = page.getByRole('button', { name: 'Retry' });
    await retry.waitFor();
    await page.unroute('**/data/readCells');
    await press(retry, { back: true });
    await vector.getByText('356 dimensions').waitFor();
  },
  { allow: /Failed to load resource/ },
);
