import { chromium, type Page } from 'playwright-core';
import { processes, type TestApp } from '../e2e/app.ts';
import { launchBrowserServer, openPage } from '../e2e/browser.ts';

export type Victim = 'browser' | 'renderer';

/**
 * A window in a browser of its own. `kill` ends the browser, or only the processes of its pages, and then returns a new
 * window.
 */
export class KillableWindow {
  readonly page: Page;
  readonly #app: TestApp;
  readonly #pid: number;
  readonly #close: () => Promise<void>;

  private constructor(app: TestApp, opened: { page: Page; pid: number; close: () => Promise<void> }) {
    this.#app = app;
    this.page = opened.page;
    this.#pid = opened.pid;
    this.#close = opened.close;
  }

  static async open(app: TestApp): Promise<KillableWindow> {
    const server = await launchBrowserServer();
    const browser = await chromium.connect(server.wsEndpoint());
    const { page } = await openPage(browser, app, { acceptDownloads: true });
    page.setDefaultTimeout(60_000);
    return new KillableWindow(app, { page, pid: server.process().pid!, close: () => server.close() });
  }

  async kill(victim: Victim): Promise<KillableWindow> {
    if (victim === 'browser') {
      const gone = new Promise((resolve) => this.page.context().browser()!.once('disconnected', resolve));
      process.kill(this.#pid, 'SIGKILL');
      await gone;
      await this.#close().catch(() => {});
      return KillableWindow.open(this.#app);
    }
    const crashed = new Promise((resolve) => this.page.once('crash', resolve));
    for (const pid of renderersOf(this.#pid)) process.kill(pid, 'SIGKILL');
    await crashed;
    const address = this.page.url();
    const page = await this.page.context().newPage();
    page.setDefaultTimeout(60_000);
    await this.page.close();
    await page.goto(address);
    return new KillableWindow(this.#app, { page, pid: this.#pid, close: this.#close });
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/** The processes that run pages. They may be grandchildren of the browser. */
function renderersOf(browser: number): number[] {
  const all = processes();
  const below = (parent: number): typeof all => {
    const children = all.filter((one) => one.parent === parent);
    return [...children, ...children.flatMap(({ pid }) => below(pid))];
  };
  return below(browser)
    .filter(({ command }) => command.includes('--type=renderer'))
    .map(({ pid }) => pid);
}
