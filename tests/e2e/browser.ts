import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { findBrowser } from '../../apps/desktop/src/window/find-browser.ts';
import type { TestApp } from './app.ts';

export const browserPath = findBrowser(process.env);

/** What a skipped test says. */
export const needsBrowser = browserPath
  ? ''
  : ' (needs Chromium or Chrome, or one named in TRESTLE_CHROMIUM)';

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
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
}

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
  await page.goto(await app.createLink());
  return { page, problems };
}

/** Tab, as often as it takes; Shift+Tab with `back`. Fails where the keyboard does not reach. */
export async function tabTo(target: Locator, options: { back?: boolean } = {}): Promise<void> {
  const page = target.page();
  await target.waitFor();
  await focusInDialog(target);
  const passed: string[] = [];
  for (let presses = 0; presses < 90; presses++) {
    // One question a press: a journey presses some hundred times.
    const active = await target.evaluate((element) => {
      const { activeElement } = document;
      return element === activeElement ? null : (activeElement?.outerHTML.slice(0, 80) ?? '');
    });
    if (active === null) return;
    passed.push(active);
    await page.keyboard.press(options.back ? 'Shift+Tab' : 'Tab');
  }
  throw new Error(`Tab does not reach ${target}; it passed ${[...new Set(passed)].join('\n')}`);
}

/** A dialog takes the focus a moment after it shows; nobody tabs before that. */
function focusInDialog(target: Locator): Promise<void> {
  return until(target, 'the focus is in its dialog', () =>
    target.evaluate((element) => {
      const dialog = element.closest('[role=dialog], [role=alertdialog]');
      return !dialog || dialog.contains(document.activeElement);
    }),
  );
}

/** Looks until it is so: a page may draw what a key did long after the key. */
export async function until(
  target: Locator,
  state: string,
  isSo: () => Promise<boolean>,
  patienceMs = 30_000,
): Promise<void> {
  for (const end = Date.now() + patienceMs; !(await isSo()); await target.page().waitForTimeout(20)) {
    if (Date.now() > end) throw new Error(`${target}: not yet that ${state}`);
  }
}

/** Goes to a control by Tab and presses it. */
export async function press(target: Locator, options: { back?: boolean; key?: string } = {}): Promise<void> {
  await tabTo(target, options);
  await until(target, 'its menu has closed', async () => !(await target.evaluate(isClosing)));
  await target.page().keyboard.press(options.key ?? 'Enter');
}

/** A menu that was just used has given the focus back, and still takes a press for its own until it is gone. */
function isClosing(trigger: Element): boolean {
  const opensMenu = trigger.getAttribute('aria-haspopup') === 'menu';
  return opensMenu && document.querySelector('[role=menu]') !== null;
}

/** Goes down an open menu or list to an entry and takes it. */
export async function choose(entry: Locator): Promise<void> {
  await entry.waitFor();
  await until(entry, 'its list takes keys', () => entry.evaluate(takesKeys));
  for (let presses = 0; presses < 40; presses++) {
    if ((await entry.getAttribute('data-highlighted')) !== null) return entry.page().keyboard.press('Enter');
    const before = await entry.evaluate(highlighted);
    await entry.page().keyboard.press('ArrowDown');
    // A second press before the first one shows would go past the entry.
    await until(entry, 'an arrow key moves', async () => (await entry.evaluate(highlighted)) !== before);
  }
  throw new Error(`The arrow keys do not reach ${entry}`);
}

/** A menu shows before it has the focus; a combobox leaves the focus in its input. */
function takesKeys(entry: Element): boolean {
  const { activeElement } = document;
  const list = entry.closest('[role=menu], [role=listbox]');
  return activeElement?.tagName === 'INPUT' || list?.contains(activeElement) === true;
}

function highlighted(entry: Element): number {
  const list = entry.closest('[role=menu], [role=listbox]');
  const entries = [...(list?.querySelectorAll('[role^=menuitem], [role=option]') ?? [])];
  return entries.findIndex((one) => one.hasAttribute('data-highlighted'));
}
