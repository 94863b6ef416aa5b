import { type Browser, chromium } from 'playwright-core';
import { enterWindow } from '../tests/enter-window.ts';
import { Skipped } from './measure.ts';

/** Runs the work with the tests' Chromium, then closes the browser. */
export async function withBrowser<Result>(work: (browser: Browser) => Promise<Result>): Promise<Result> {
  const path = new URL('../scripts/chromium.mjs', import.meta.url).href;
  const { findChromium } = (await import(path)) as { findChromium: () => string | null };
  const executablePath = findChromium();
  if (!executablePath) throw new Skipped('no Chromium found; name one in TRESTLE_CHROMIUM');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Stores the state of a window that has one table of the connection open. */
export async function leaveTableOpen(
  link: string,
  connectionId: string,
  { table, view = null }: { table: string; view?: object | null },
): Promise<void> {
  const layout = {
    open: [connectionId],
    current: connectionId,
    sidebarWidth: 240,
    tabs: { [connectionId]: { order: ['bench'], active: 'bench' } },
  };
  const { origin, headers } = await enterWindow(link);
  const store = async (key: string, value: unknown) => {
    const stored = await fetch(new URL('/api/records.write', origin), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ key, version: 0, value }),
    });
    if (!stored.ok) throw new Error(`${key} was refused with ${stored.status}`);
  };
  await store(`tab/${connectionId}/bench`, { kind: 'table', table, view });
  await store('layout', layout);
}
