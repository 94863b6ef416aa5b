import { setTimeout as delay } from 'node:timers/promises';
import { hasDisplay } from './desktop-environment.ts';
import type { Logger } from './log.ts';
import { type ChromiumWindow, openChromiumWindow } from './window/chromium-window.ts';
import { openDefaultBrowser } from './window/default-browser.ts';
import { type CreateLink, createEntryFiles } from './window/entry-files.ts';
import { findBrowser } from './window/find-browser.ts';

/** The result of `show`: our own window, a tab in the default browser, or nothing. */
export type Shown = 'window' | 'browser' | 'nothing';

interface AppWindow {
  /** Opens the window, or brings the open one to the front. On Microsoft Windows, an open one stays where it is. */
  show(env: NodeJS.ProcessEnv): Promise<Shown>;
  isOpen(): boolean;
  close(): void;
}

interface WindowOptions {
  dataDirectory: string;
  /** The page's address, without a secret. */
  address: string;
  createLink: CreateLink;
  onClosed: () => void;
  log: Logger;
}

/**
 * The app also runs without a window. Without a display, `show` opens nothing. Otherwise it tries our own window, then
 * the default browser. If the result is `nothing`, `trestle start` prints a link.
 */
export function createWindow(options: WindowOptions): AppWindow {
  let open: Promise<ChromiumWindow> | undefined;
  const files = createEntryFiles(options.dataDirectory, options.createLink);

  async function show(env: NodeJS.ProcessEnv): Promise<Shown> {
    if (!hasDisplay(env)) return 'nothing';
    const executable = findBrowser(env);
    if (executable) {
      try {
        if (open) await (await open).bringToFront();
        else await launch(executable, env);
        return 'window';
      } catch (error) {
        options.log.warn({ err: error }, 'the window could not be shown');
      }
    }
    return (await openDefaultBrowser({ files, address: options.address, env })) ? 'browser' : 'nothing';
  }

  async function launch(executable: string, env: NodeJS.ProcessEnv): Promise<void> {
    const openOne = () => openChromiumWindow({ executable, env, files, ...options });
    // If the previous app was just killed, its window may still be closing, and holds the profile until then. So try
    // twice.
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
    close() {
      files.close();
      void open?.then((window) => window.close()).catch(() => {});
    },
  };
}
