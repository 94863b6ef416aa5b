import type { Core } from '@trestle/core';
import { hasDisplay } from './desktop-environment.ts';
import type { Shown } from './window.ts';

/** Makes a client's question visible: tells the core whether the user can be asked, and opens a window. */
interface Asking {
  /** Call it when windows can be opened. If a question waits and no page is open, a window opens. */
  attach(screen: Screen): void;
  /** Shows a window on the screen where the last window opened. Defaults to: the screen of this process. */
  show(): Promise<Shown>;
  pageOpened(): void;
  /** `since`: when the last page closed. */
  pagesGone(since: Date): void;
  /**
   * Call it with the result of each attempt to show a window. If one was shown, later windows open on the screen of
   * `env`: a second launch may know a screen that this process does not.
   */
  shown(env: NodeJS.ProcessEnv, shown: Shown): void;
  close(): void;
}

interface Screen {
  /** Opens a window, or brings the open one to the front. */
  show(env: NodeJS.ProcessEnv): Promise<Shown>;
  /** Whether our own window is open. */
  isOpen(): boolean;
}

export function createAsking(
  { approvals, events }: Pick<Core, 'approvals' | 'events'>,
  report: (error: unknown) => void,
  env = process.env,
): Asking {
  let screen: Screen | undefined;
  let screenEnv = env;
  let hasPage = false;
  let waiting = 0;

  const follow = () => approvals.setPresence(hasPage ? 'window' : hasDisplay(screenEnv) ? 'canOpen' : 'none');

  const showScreen = async () => (await screen?.show(screenEnv)) ?? 'nothing';

  const failed = (error: unknown): Shown => {
    report(error);
    return 'nothing';
  };

  async function show(): Promise<void> {
    // No caller awaits `show`, so a rejection would stop the app.
    const shown = screen && (await showScreen().catch(failed));
    // `none` denies the waiting questions with a hint, because no window will open.
    if (shown === 'nothing' && !hasPage) approvals.setPresence('none');
  }

  const stop = events.on((event) => {
    if (event.type === 'attentionNeeded') void show();
    if (event.type !== 'approvalsChanged') return;
    const isFirst = waiting === 0;
    waiting = approvals.pending().length;
    // The window may be minimized, or behind the client that asks.
    if (isFirst && waiting > 0 && hasPage && screen?.isOpen()) void show();
  });
  follow();

  return {
    attach(opened) {
      screen = opened;
      if (!hasPage && approvals.pending().length > 0) void show();
    },
    show: showScreen,
    pageOpened() {
      hasPage = true;
      follow();
    },
    pagesGone(since) {
      hasPage = false;
      follow();
      // A window opens for a question that came after the last page closed. A page has shown the earlier questions.
      const isUnseen = approvals.pending().some(({ askedAt }) => Date.parse(askedAt) >= since.getTime());
      if (isUnseen) void show();
    },
    shown(from, shown) {
      if (shown === 'nothing') return;
      screenEnv = from;
      follow();
    },
    close: stop,
  };
}
