import type { Core } from '@trestle/core';
import { hasDisplay } from './session-environment.ts';
import type { Shown } from './window.ts';

/** Sees to it that a client's question is seen: tells the core whether anybody can be asked, and opens a window. */
export interface Asking {
  /** Once there are windows. A client may have asked before. */
  attach(screen: Screen): void;
  /** Where the user's screen is. */
  show(): Promise<Shown>;
  pageOpened(): void;
  /** `since`: when the last page went. */
  pagesGone(since: Date): void;
  /** What came of showing a window: a second launch may know of a screen that this process does not. */
  shown(env: NodeJS.ProcessEnv, shown: Shown): void;
  close(): void;
}

interface Screen {
  /** Opens a window, or brings the open one to the front. */
  show(env: NodeJS.ProcessEnv): Promise<Shown>;
  /** Whether there is a window of our own. */
  isOpen(): boolean;
}

export function createAsking(
  { approvals, events }: Pick<Core, 'approvals' | 'events'>,
  env = process.env,
): Asking {
  let screen: Screen | undefined;
  let screenEnv = env;
  let hasPage = false;
  let waiting = 0;

  const follow = () => approvals.setPresence(hasPage ? 'window' : hasDisplay(screenEnv) ? 'canOpen' : 'none');

  const showScreen = async () => (await screen?.show(screenEnv)) ?? 'nothing';

  async function show(): Promise<void> {
    const shown = screen && (await showScreen());
    // What waits is denied, with what to do about it, rather than left to a window that never comes.
    if (shown === 'nothing' && !hasPage) approvals.setPresence('none');
  }

  const stop = events.on((event) => {
    if (event.type === 'attentionNeeded') void show();
    if (event.type !== 'approvalsChanged') return;
    const isFirst = waiting === 0;
    waiting = approvals.pending().length;
    // It may be minimized, or behind the very client that asks.
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
      // Asked when no page was there to show it. What a page did show was left unanswered on purpose.
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
