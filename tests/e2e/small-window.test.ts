import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from './axe.ts';
import { press } from './browser.ts';
import { gridOf } from './grid.ts';
import { journey, openSample, openTable, sharedJourney } from './journey.ts';

/** At 200 %, a window of 1440 by 900 has the space of one of 720 by 450, and one of 1024 by 640 that of 512 by 320. */
const zoomed = [
  { width: 720, height: 450 },
  { width: 512, height: 320 },
];

/** Controls that cannot be scrolled fully into view, or that are covered. For a grid, a visible top is enough. */
async function unreachable(page: Page, within = everywhere): Promise<string[]> {
  return page.evaluate((selector) => {
    const names: string[] = [];
    const controls = document.querySelectorAll<HTMLElement>(selector);
    for (const element of controls) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      const { left, top, right, bottom } = element.getBoundingClientRect();
      // An element this narrow is the hidden input in which a select keeps its value for a form.
      if (right - left < 4) continue;
      const isOut = left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
      const at = document.elementFromPoint((left + right) / 2, (top + Math.min(bottom, innerHeight)) / 2);
      const isCovered = !at || !(element.contains(at) || at.contains(element));
      const isGrid = element.getAttribute('role') === 'grid';
      if (isGrid ? top > innerHeight - 40 : isOut || isCovered) {
        names.push(
          `${element.getAttribute('aria-label') ?? element.textContent} ${[left, top, right, bottom].map(Math.round)}`,
        );
      }
    }
    return names;
  }, within);
}

const everywhere =
  'main button, main input, main [role=combobox], main [role=grid], nav button, aside button, aside input';
const ofBuilder = 'search button, search input';

/** In a narrow window, the tables are on the connection's home, and in a sidebar that a key opens. */
async function openPlanets(page: Page, expectReachable: () => Promise<void>): Promise<void> {
  if (page.viewportSize()!.width > 900) await openSample(page);
  else {
    await press(page.getByRole('button', { name: /^Sample: SQLite/ }));
    await focusOn(page.locator('[data-home] li button').first());
    await expectReachable();
    await page.keyboard.press('ControlOrMeta+b');
  }
  await openTable(page, 'planets');
}

async function focusOn(target: Locator): Promise<void> {
  await target.waitFor();
  await expect.poll(() => target.evaluate((element) => element === document.activeElement)).toBe(true);
}

sharedJourney(
  'the controls of the welcome screen and of a table can be reached at 1024 by 640',
  ({ page }) => reachAll(page, [{ width: 1024, height: 640 }]),
  { viewport: { width: 1024, height: 640 } },
);

journey(
  'the controls of the welcome screen and of a table can be reached at 1440 by 900 and at 1024 by 640 at 200 %',
  ({ page }) => reachAll(page, zoomed),
  { viewport: zoomed[0]!, deviceScaleFactor: 2 },
);

async function reachAll(page: Page, sizes: { width: number; height: number }[]): Promise<void> {
  const expectReachable = async (within?: string) => {
    for (const size of [...sizes.slice(1), sizes[0]!]) {
      await page.setViewportSize(size);
      await expect.poll(() => unreachable(page, within), { message: `${size.width}` }).toEqual([]);
    }
  };
  await page.getByRole('button', { name: /^Sample: SQLite/ }).waitFor();
  await expectReachable();
  await openPlanets(page, expectReachable);
  const grid = gridOf(page, 'Rows of planets');
  await grid.focus();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await page.getByLabel('Value of filter 1').waitFor();
  await expectReachable(ofBuilder);
  await page.keyboard.press('Escape');
  await grid.focused();
  await expectReachable();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('X');
  await page.keyboard.press('Enter');
  await page.getByText('1 edited').waitFor();
  await expectReachable();
  await page.keyboard.press('Alt+s');
  await page.getByRole('region', { name: 'Structure of planets' }).waitFor();
  await expectReachable();
}

sharedJourney('a message in the corner covers no control', async ({ page }) => {
  await openSample(page);
  await openTable(page, 'planets');
  const grid = gridOf(page, 'Rows of planets');
  await grid.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('X');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.type('Y');
  await page.keyboard.press('Enter');
  await page.getByText('2 edited').waitFor();
  await press(page.getByRole('button', { name: 'Discard' }));
  await page.getByText('Changes discarded').waitFor();
  const covered = await page.evaluate(() => {
    const toast = document.querySelector('[data-toast]')!.getBoundingClientRect();
    const controls = [...document.querySelectorAll<HTMLElement>('main button, main input, nav button')];
    return controls
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => {
        const box = element.getBoundingClientRect();
        return (
          box.left < toast.right && box.right > toast.left && box.top < toast.bottom && box.bottom > toast.top
        );
      })
      .map((element) => element.getAttribute('aria-label') ?? element.textContent);
  });
  expect(covered).toEqual([]);
});

sharedJourney(
  'assistive technology sees each row of the grid as one row, with the same number of cells',
  async ({ page }) => {
    await openSample(page);
    await openTable(page, 'planets');
    await page.getByText('1–10 of 10').waitFor();
    const client = await page.context().newCDPSession(page);
    const { nodes } = await client.send('Accessibility.getFullAXTree');
    const byId = new Map(nodes.map((node) => [node.nodeId, node]));
    const inside = (id: string): string[] => {
      const node = byId.get(id);
      const role = String(node?.role?.value);
      if (/^(gridcell|rowheader|columnheader)$/.test(role)) return [role];
      return (node?.childIds ?? []).flatMap(inside);
    };
    const rows = nodes.filter((node) => node.role?.value === 'row' && !node.ignored);
    expect(rows).toHaveLength(11);
    const cells = rows.map((row) => (row.childIds ?? []).flatMap(inside).length);
    expect(Math.min(...cells)).toBeGreaterThan(5);
    expect(new Set(cells).size).toBe(1);
  },
);
