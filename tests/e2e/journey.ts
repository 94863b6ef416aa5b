import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { startApp, type TestApp } from './app.ts';
import { browserPath, launchBrowser, needsBrowser, openPage, press } from './browser.ts';
import { firefoxPath, launchFirefox, needsFirefox } from './firefox.ts';
import { openSharedWindow, type SharedOptions, type SharedWindow } from './shared-window.ts';
import { isLeftOut } from './smoke-journeys.ts';

/** The browsers that journeys run in. */
const engines = {
  chromium: { isHere: browserPath !== undefined, needs: needsBrowser, launch: launchBrowser },
  firefox: { isHere: firefoxPath !== undefined, needs: needsFirefox, launch: launchFirefox },
};

/**
 * The browsers of a worker, and the window that its shared journeys have in common. One fixture has both, so that
 * the window is closed before its browser. Vitest may close two fixtures in either order.
 */
const withBrowsers = test.extend<{
  worker: {
    browser(engine: keyof typeof engines): Promise<Browser>;
    takeWindow(options: SharedOptions): Promise<SharedWindow>;
    dropWindow(): Promise<void>;
  };
}>({
  worker: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads here which fixtures this one needs
    async ({}, use) => {
      const browsers = new Map<keyof typeof engines, Browser>();
      const browser = async (engine: keyof typeof engines) => {
        const running = browsers.get(engine);
        if (running?.isConnected()) return running;
        const launched = await engines[engine].launch();
        browsers.set(engine, launched);
        return launched;
      };
      let window: SharedWindow | undefined;
      const dropWindow = async () => {
        const closing = window;
        window = undefined;
        await closing?.close();
      };
      await use({
        browser,
        async takeWindow(options) {
          if (window && !(await window.renew(options).catch(() => false))) await dropWindow();
          if (window) return window;
          window = await openSharedWindow(await browser('chromium'));
          await window.renew(options);
          return window;
        },
        dropWindow,
      });
      await dropWindow();
      for (const running of browsers.values()) await running.close();
    },
    { scope: 'worker' },
  ],
});

export interface Journey {
  app: TestApp;
  page: Page;
  /** Skips the rest of the journey. The reason says what this machine lacks. */
  skip(reason: string): never;
}

interface JourneyOptions extends BrowserContextOptions {
  /** Problems that the journey may cause, such as the browser's own message about a refused request. */
  allow?: RegExp;
  /** Additional environment variables of the app. */
  env?: () => NodeJS.ProcessEnv;
  /** The path of another build's launcher. */
  launcher?: () => string;
  /** The timeout of a journey that is longer than other tests. */
  timeoutMs?: number;
}

/** The browser's own message for an answer with status 422. */
export const refusedRequest = /Failed to load resource: the server responded with a status of 422/;

/**
 * A journey by keyboard, on a new app. It also fails if the page logs an error or a warning or a mouse button is
 * pressed, unless `allow` matches the problem.
 */
export const journey = journeysIn('chromium');

/** A journey in Firefox, if Firefox is installed. */
export const firefoxJourney = journeysIn('firefox');

/**
 * A journey on the app and the page of the journeys before it. It takes about 60 % of the processor time of
 * `journey`, and starts on the welcome screen with new samples. Use `journey` for a test that restarts the app, adds
 * an init script, or reads data that earlier journeys may leave behind (log of clients, kept maps). If the window
 * cannot be made like new, the next journey gets a new window.
 */
export function sharedJourney(
  name: string,
  run: (journey: Journey) => Promise<void>,
  options: SharedOptions & Pick<JourneyOptions, 'allow' | 'timeoutMs'> = {},
): void {
  if (isLeftOut(name)) return;
  const { allow, timeoutMs, ...window } = options;
  const limit = timeoutMs === undefined ? {} : { timeout: timeoutMs };
  withBrowsers.skipIf(!browserPath)(`${name}${needsBrowser}`, limit, async ({ task, skip, worker }) => {
    const { app, page, problems } = await worker.takeWindow(window);
    onTestFinished(async () => {
      if (task.result?.state !== 'fail') return;
      await keepPicture(page, name);
      await worker.dropWindow();
    });
    page.setDefaultTimeout(timeoutMs ? timeoutMs / 4 : 45_000);
    await run({ app, page, skip: (reason) => skip(reason) });
    expect(problems.filter((problem) => !allow?.test(problem))).toEqual([]);
  });
}

async function keepPicture(page: Page, name: string): Promise<void> {
  const file = join(tmpdir(), `trestle-e2e-${name.replaceAll(/\W+/g, '-')}.png`);
  await page.screenshot({ path: file });
  console.log(`${name}: a screenshot of the page is in ${file}`);
}

function journeysIn(engine: keyof typeof engines) {
  const { isHere, needs } = engines[engine];
  return (name: string, run: (journey: Journey) => Promise<void>, options: JourneyOptions = {}): void => {
    if (isLeftOut(name)) return;
    const { env, launcher, timeoutMs, ...context } = options;
    const limit = timeoutMs === undefined ? {} : { timeout: timeoutMs };
    withBrowsers.skipIf(!isHere)(`${name}${needs}`, limit, async ({ task, skip, worker }) => {
      const app = await startApp(env?.(), launcher?.());
      onTestFinished(() => app.close());
      const { page, problems } = await openPage(await worker.browser(engine), app, context);
      onTestFinished(async () => {
        if (task.result?.state === 'fail') await keepPicture(page, name);
        await page.context().close();
      });
      page.setDefaultTimeout(timeoutMs ? timeoutMs / 4 : 45_000);
      await run({ app, page, skip: (reason) => skip(reason) });
      expect(problems).toEqual([]);
    });
  };
}

/** Goes from the welcome screen to the tables of the SQLite sample. */
export async function openSample(page: Page): Promise<void> {
  await press(page.getByRole('button', { name: /^Sample: SQLite/ }));
  await page.getByRole('button', { name: 'Table elements' }).waitFor();
}

/** Opens a table from the sidebar by typing its name and Enter. Leaves the focus in the grid. */
export async function openTable(page: Page, table: string): Promise<void> {
  const first = page.getByRole('complementary').getByRole('listitem').first().getByRole('button');
  await expect.poll(() => first.evaluate((element) => element === document.activeElement)).toBe(true);
  await typeAhead(page, table);
  await page.keyboard.press('Enter');
  await page.getByRole('grid', { name: `Rows of ${table}` }).waitFor();
}

/**
 * Types a name to select its entry in a list, and tries again if that fails. On a busy machine, the letters may come
 * so slowly that the list takes one of them for the start of another name.
 */
async function typeAhead(page: Page, name: string): Promise<void> {
  for (let tries = 0; tries < 5; tries++) {
    await page.keyboard.type(name);
    if (await page.evaluate((text) => document.activeElement?.textContent?.includes(text), name)) return;
    // The list forgets letters after a pause.
    await page.waitForTimeout(1500);
  }
  throw new Error(`Typing ${name} does not select it`);
}
