import type { CDPSession, Page } from 'playwright-core';
import { goals } from './goals.ts';
import type { Figure } from './measure.ts';
import { tabCount } from './window-world.ts';

/**
 * Opens and closes the tabs in three rounds. Compares the memory after the third round with the memory after the
 * second, because the first round fills caches that stay.
 */
export async function measureTabs(page: Page): Promise<Figure[]> {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  await page.getByRole('button', { name: 'Connections', exact: true }).first().click();
  await page.getByRole('button', { name: /^Tabs/ }).first().click();
  const rounds = [];
  for (let round = 0; round < 3; round++) {
    for (let tab = 0; tab < tabCount; tab++) {
      await page.getByRole('button', { name: `Table t${tab}`, exact: true }).dblclick();
      await page.getByRole('grid', { name: `Rows of t${tab}`, exact: true }).waitFor();
    }
    for (let closed = 0; closed < tabCount; closed++) {
      const open = await page.locator('[role=tab]').count();
      await page.keyboard.press('Alt+w');
      await page.waitForFunction((before) => document.querySelectorAll('[role=tab]').length < before, open);
    }
    rounds.push(await held(client));
  }
  const [, before, after] = rounds as [Held, Held, Held];
  const figure = (name: string, unit: Figure['unit'], of: keyof Held): Figure => ({
    name: `${name} after ${tabCount} tabs opened and closed`,
    unit,
    subject: [after[of]],
    baseline: [before[of]],
    against: 'the round before',
    goal: goals.tabs,
  });
  return [
    figure('heap', 'MB', 'heap'),
    figure('DOM nodes', 'nodes', 'nodes'),
    figure('listeners', 'listeners', 'listeners'),
  ];
}

interface Held {
  heap: number;
  nodes: number;
  listeners: number;
}

async function held(client: CDPSession): Promise<Held> {
  // An object that one garbage collection frees may hold other objects, which the next collection frees.
  for (let times = 0; times < 3; times++) await client.send('HeapProfiler.collectGarbage');
  const { metrics } = await client.send('Performance.getMetrics');
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return { heap: of('JSHeapUsedSize') / 1e6, nodes: of('Nodes'), listeners: of('JSEventListeners') };
}
