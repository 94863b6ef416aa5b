import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startApp, type TestApp } from './app.ts';
import { browserPath, launchBrowser, needsBrowser, openPage, press } from './browser.ts';

let browser: Browser | null = null;
afterAll(async () => {
  await browser?.close();
  browser = null;
});

export interface Journey {
  app: TestApp;
  page: Page;
  /** Leaves the rest out where this machine does not allow it, and says why. */
  skip(reason: string): never;
}

interface JourneyOptions extends BrowserContextOptions {
  /** Console messages that belong to the journey, such as the browser's own about a refused request. */
  allow?: RegExp;
  /** More of the app's environment. */
  env?: () => NodeJS.ProcessEnv;
  /** Another build of the app. */
  launcher?: () => string;
}

/** The browser's own line for an answer that carries an error. */
export const refusedRequest = /Failed to load resource: the server responded with a status of 422/;

/** One journey by keyboard alone, on a fresh app; it fails too when the page had something to complain of. */
export function journey(
  name: string,
  run: (journey: Journey) => Promise<void>,
  options: JourneyOptions = {},
): void {
  test.skipIf(!browserPath)(`${name}${needsBrowser}`, async ({ task, skip }) => {
    const { env, launcher, ...context } = options;
    const app = await startApp(env?.(), launcher?.());
    onTestFinished(() => app.close());
    browser ??= await launchBrowser();
    const { page, problems } = await openPage(browser, app, context);
    onTestFinished(async () => {
      if (task.result?.state === 'fail') {
        const file = join(tmpdir(), `trestle-e2e-${name.replaceAll(/\W+/g, '-')}.png`);
        await page.screenshot({ path: file });
        console.log(`${name}: the page as it was is in ${file}`);
      }
      await page.context().close();
    });
    page.setDefaultTimeout(45_000);
    await run({ app, page, skip: (reason) => skip(reason) });
    expect(problems).toEqual([]);
  });
}

/** From the welcome screen to the tables of the SQLite sample. */
export async function openSample(page: Page): Promise<void> {
  await press(page.getByRole('button', { name: /^Sample: SQLite/ }));
  await page.getByRole('button', { name: 'Table elements' }).waitFor();
}

/** From the sidebar: the letters of a name go to it, Enter opens it; leaves the focus in the grid. */
export async function openTable(page: Page, table: string): Promise<void> {
  const first = page.getByRole('complementary').getByRole('listitem').first().getByRole('button');
  await expect.poll(() => first.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type(table);
  await page.keyboard.press('Enter');
  await page.getByRole('grid', { name: `Rows of ${table}` }).waitFor();
}
