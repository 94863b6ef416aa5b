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

/** Ends the name of a skipped test with the reason. */
export const needsBrowser = browserPath
  ? ''
  : ' (needs Chromium or Chrome, or a browser named in TRESTLE_CHROMIUM)';

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

/**
 * If `--disable-features` comes twice, Chromium uses the last list. So the list of Playwright 1.65 is repeated here,
 * without its entries for Edge.
 */
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
 * Each browser context has its own browser window. Chromium also loads a page for the suggestions of the window's
 * address bar. That page takes longer to load than ours, and no test needs it.
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
  /** Errors and warnings in the console, uncaught errors, breaches of the content policy, and mouse presses. */
  problems: string[];
}

/** Opens the one-time link that the app gives to the user's browser. */
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
  // Opens the link itself. Opening the file that contains it would start another renderer process.
  await page.goto(linkIn(await app.createLink()));
  return { page, problems };
}
