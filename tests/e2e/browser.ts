import {
  type Browser,
  type BrowserContextOptions,
  type BrowserServer,
  chromium,
  type Page,
} from 'playwright-core';
import { findBrowser } from '../../apps/desktop/src/window/find-browser.ts';
import { linkIn } from '../enter-window.ts';
import type { TestApp } from './app.ts';

export { choose, press, tabTo, until } from './keys.ts';

export const browserPath = findBrowser(process.env);

/** What a skipped test says. */
export const needsBrowser = browserPath
  ? ''
  : ' (needs Chromium or Chrome, or one named in TRESTLE_CHROMIUM)';

export function launchBrowser(): Promise<Browser> {
  return chromium.launch(launchOptions());
}

/** A browser whose process is known, so that a test can kill it. */
export function launchBrowserServer(): Promise<BrowserServer> {
  return chromium.launchServer(launchOptions());
}

const launchOptions = () => ({
  executablePath: browserPath!,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${[...playwrightTurnsOff, ...browserWindowParts].join()}`,
  ],
});

/** Of two lists of features Chromium takes the last, so that of Playwright 1.65 is repeated here. */
const playwrightTurnsOff = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/**
 * Each context has a browser window of its own. The suggestions of its address bar are a page, which Chromium loads
 * beside ours: more work than ours, for what no test sees.
 */
const browserWindowParts = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'PreloadTopChromeWebUI',
  'SpareRendererForSitePerProcess',
];

export interface OpenedPage {
  page: Page;
  /** Errors in the console, breaches of the content policy, and uses of the mouse. */
  problems: string[];
}

/** Comes in by a one-time link, as a user does who has no window. */
export async function openPage(
  browser: Browser,
  app: TestApp,
  options: BrowserContextOptions & { allow?: RegExp } = {},
): Promise<OpenedPage> {
  const { allow, ...context } = options;
  const viewport = { width: 1280, height: 800 };
  const page = await (await browser.newContext({ viewport, ...context })).newPage();
  const problems: string[] = [];
  const report = (problem: string) => {
    if (!allow?.test(problem)) problems.push(problem);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') report(message.text());
  });
  page.on('pageerror', (error) => report(error.stack ?? error.message));
  await page.addInitScript(() => {
    const watch = (type: string, say: (event: Event) => string) =>
      window.addEventListener(type, (event) => event.isTrusted && console.error(say(event)), true);
    watch('pointerdown', () => 'The mouse was used');
    watch('securitypolicyviolation', (event) => {
      const { violatedDirective, blockedURI } = event as SecurityPolicyViolationEvent;
      return `The content policy refused ${violatedDirective} ${blockedURI}`;
    });
  });
  // Not the file that leads to it, which would take another process of the browser.
  await page.goto(linkIn(await app.createLink()));
  return { page, problems };
}
