import type { Page } from 'playwright-core';
import { withBrowser } from './chromium.ts';
import { goals } from './goals.ts';
import { type Benchmark, type Figure, inTurns } from './measure.ts';
import { withApp, withHome } from './trestle.ts';
import { measureTabs } from './window-tabs.ts';
import { columnCount, makeWorld, ordinal, rowCount } from './window-world.ts';

/** The window at work: a wide page is painted and scrolled, and many tabs are opened and closed. */
export const windowAtWork: Benchmark = {
  name: 'window',
  run: () =>
    withBrowser((browser) =>
      withHome((home) =>
        withApp(home, async ({ link }) => {
          const world = await makeWorld(home);
          const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
          page.setDefaultTimeout(120_000);
          try {
            await watchLongTasks(page);
            await page.goto(link);
            return [...(await paintAndScroll(page)), ...(await measureTabs(page))];
          } finally {
            await page.close();
            await world.stop();
          }
        }),
      ),
    ),
};

async function paintAndScroll(page: Page): Promise<Figure[]> {
  await page.getByRole('button', { name: /^Wide/ }).first().click();
  await page.getByRole('button', { name: 'Collection Wide', exact: true }).click();
  await page.getByLabel('Rows per page').click();
  await page.getByRole('option', { name: '1,000 rows' }).click();
  await page.getByText(`1–${rowCount.toLocaleString('en')} of`).waitFor();
  // The vector is the last column.
  await page
    .locator('[data-grid-frame] > div')
    .first()
    .evaluate((viewport) => {
      viewport.scrollLeft = viewport.scrollWidth;
    });
  await page.getByRole('columnheader', { name: /^vector(,|$)/ }).waitFor();
  const plain = await page.context().browser()!.newPage();
  const cpu = { grid: await cpuOf(page), plain: await cpuOf(plain) };
  const spent: Record<'grid' | 'plain', number[]> = { grid: [], plain: [] };
  const counted = async (name: 'grid' | 'plain', work: () => Promise<number>) => {
    const before = await cpu[name]();
    const taken = await work();
    spent[name].push((await cpu[name]()) - before);
    return taken;
  };
  const rounds = Number(process.env.TRESTLE_BENCH_ROUNDS ?? 8);
  const taken = await inTurns(
    { rounds, warmUp: 2 },
    {
      grid: () => counted('grid', () => timeToSort(page)),
      plain: () => counted('plain', () => plain.evaluate(paintPlainTable, { rowCount, columnCount })),
    },
  );
  await plain.close();
  await longTasks(page);
  const worst: number[] = [];
  for (let round = 0; round < 5; round++) {
    await scrollThrough(page);
    worst.push(Math.max(0, ...(await longTasks(page))));
  }
  const against = 'as many cells in an HTML table, without the database';
  return [
    {
      name: `sorted page of ${rowCount} × ${columnCount} painted, with a vector each`,
      unit: 'ms',
      subject: taken.grid,
      baseline: taken.plain,
      against,
    },
    {
      name: 'the same, milliseconds of work in the page',
      unit: 'ms',
      subject: spent.grid.slice(-rounds),
      baseline: spent.plain.slice(-rounds),
      against,
    },
    {
      name: 'longest task over 50 ms while scrolling it (0: none)',
      unit: 'ms',
      subject: worst,
      baseline: worst.map(() => 50),
      against: 'a delay that is noticed',
      goal: goals.scroll,
    },
  ];
}

/** Milliseconds that the page's main thread has worked so far. */
async function cpuOf(page: Page): Promise<() => Promise<number>> {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  return async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
}

/** Milliseconds until a descending sort is painted. The ascending sort before is not timed. */
async function timeToSort(page: Page): Promise<number> {
  const header = page.getByRole('columnheader', { name: new RegExp(`^${ordinal}(,|$)`) });
  const sorted = (order: string, first: number) =>
    page.evaluate(sortAndWait, { wanted: String(first), order, header: ordinal });
  if ((await header.getAttribute('aria-sort')) !== 'ascending') await sorted('ascending', 0);
  return sorted('descending', rowCount - 1);
}

/**
 * Clicks the header until the column has the wanted order. Ends when the wanted row and its vector are painted on top.
 * The function runs in the page, so that no message of Playwright is timed.
 */
async function sortAndWait(asked: { wanted: string; order: string; header: string }): Promise<number> {
  const frame = () => new Promise(requestAnimationFrame);
  const named = (name: string) =>
    [...document.querySelectorAll('[role=columnheader]')].find((one) =>
      new RegExp(`^${name}(,|$)`).test(one.getAttribute('aria-label') ?? ''),
    );
  const cell = (name: string) => {
    const index = named(name)?.getAttribute('aria-colindex');
    return document.querySelector(`[data-line="0"] [role=gridcell][aria-colindex="${index}"]`);
  };
  let began = performance.now();
  while (named(asked.header)?.getAttribute('aria-sort') !== asked.order) {
    began = performance.now();
    const before = named(asked.header)?.getAttribute('aria-sort');
    named(asked.header)?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    while (named(asked.header)?.getAttribute('aria-sort') === before) await frame();
  }
  while (
    cell(asked.header)?.textContent !== asked.wanted ||
    !/\d\.\d/.test(cell('vector')?.textContent ?? '')
  )
    await frame();
  await frame();
  await frame();
  return performance.now() - began;
}

async function scrollThrough(page: Page): Promise<void> {
  const grid = (await page.locator('[data-grid-frame]').first().boundingBox())!;
  await page.mouse.move(grid.x + grid.width / 2, grid.y + grid.height / 2);
  for (let step = 0; step < 60; step++) await page.mouse.wheel(0, 400);
  for (let step = 0; step < 20; step++) await page.mouse.wheel(-400, 0);
  for (let step = 0; step < 20; step++) await page.mouse.wheel(400, 0);
  for (let step = 0; step < 60; step++) await page.mouse.wheel(0, -400);
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** Milliseconds until the second frame after a table of text was put into the page. */
function paintPlainTable(size: { rowCount: number; columnCount: number }): Promise<number> {
  const began = performance.now();
  const cell = (row: number, column: number) => `<td>column ${column} of row ${row}</td>`;
  const line = (row: number) =>
    `<tr>${Array.from({ length: size.columnCount }, (_, column) => cell(row, column)).join('')}</tr>`;
  document.body.innerHTML = `<table>${Array.from({ length: size.rowCount }, (_, row) => line(row)).join('')}</table>`;
  return new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - began))),
  );
}

async function watchLongTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(window, { longTasks: tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
  });
}

function longTasks(page: Page): Promise<number[]> {
  return page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks.splice(0));
}
