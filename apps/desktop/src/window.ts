import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './log.ts';
import { hasDisplay } from './session-environment.ts';
import { type ChromiumWindow, openChromiumWindow } from './window/chromium-window.ts';
import { findBrowser } from './window/find-browser.ts';

/** What could be shown: a window of our own, a tab in the default browser, or nothing. */
export type Shown = 'window' | 'browser' | 'nothing';

export interface AppWindow {
  /** Opens the window, or brings the open one to the front. */
  show(env: NodeJS.ProcessEnv): Promise<Shown>;
  isOpen(): boolean;
  close(): void;
}

export interface WindowOptions {
  dataDirectory: string;
  waitingPage: string;
  createLink: () => string;
  onClosed: () => void;
  log: Logger;
}

/** The app never depends on it: every failure ends in `nothing`, and the address is printed instead. */
export function createWindow(options: WindowOptions): AppWindow {
  let open: Promise<ChromiumWindow> | undefined;

  async function show(env: NodeJS.ProcessEnv): Promise<Shown> {
    if (!hasDisplay(env)) return 'nothing';
    const executable = findBrowser(env);
    if (executable) {
      try {
        if (open) await (await open).bringToFront();
        else await launch(executable, env);
        return 'window';
      } catch (error) {
        options.log.warn({ err: error }, 'the window did not open');
      }
    }
    return (await openDefaultBrowser(options.createLink(), env)) ? 'browser' : 'nothing';
  }

  async function launch(executable: string, env: NodeJS.ProcessEnv): Promise<void> {
    const openOne = () => openChromiumWindow({ executable, env, ...options });
    // The window of an app that was killed a moment ago still ends, and holds the profile until then.
    const launched = openOne().catch(() => delay(1000).then(openOne));
    open = launched;
    try {
      const window = await launched;
      void window.closed.then(() => {
        open = undefined;
        options.onClosed();
      });
    } catch (error) {
      open = undefined;
      throw error;
    }
  }

  return {
    show,
    isOpen: () => open !== undefined,
    close: () => void open?.then((window) => window.close()).catch(() => {}),
  };
}

function openDefaultBrowser(link: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [command, ...args] = {
    darwin: ['open', link],
    win32: ['rundll32', 'url.dll,FileProtocolHandler', link],
  }[process.platform as string] ?? ['xdg-open', link];
  return new Promise((resolve) => {
    const child = spawn(command!, args, { env, stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    // A browser that stays in the foreground has opened the page.
    setTimeout(() => resolve(true), 3000).unref();
    child.unref();
  });
}
