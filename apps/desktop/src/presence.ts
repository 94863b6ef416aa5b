/** Counts the open pages. Reports when the first page opens, and when the last page has been closed for a while. */
export interface Presence {
  /** Returns a function to call when the page closes. */
  pageOpened(): () => void;
  count(): number;
}

/** A reload or a waking laptop usually reconnects within this time. */
const graceMs = 5000;

export function createPresence(told: {
  onFirst(): void;
  /** `since`: when the last page closed. */
  onLastGone(since: Date): void;
}): Presence {
  let pages = 0;
  let grace: NodeJS.Timeout | undefined;
  return {
    pageOpened() {
      pages += 1;
      // Otherwise the timer of an earlier close could fire while this page is open, or too soon after it closes.
      clearTimeout(grace);
      if (pages === 1) told.onFirst();
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        pages -= 1;
        if (pages > 0) return;
        const since = new Date();
        grace = setTimeout(() => told.onLastGone(since), graceMs).unref();
      };
    },
    count: () => pages,
  };
}
