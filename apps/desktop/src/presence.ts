/** Counts the open pages, and tells when the first one came and when the last one has been gone for a while. */
export interface Presence {
  pageOpened(): () => void;
  count(): number;
}

/** A reload, or a laptop that wakes, reconnects within this time. */
const graceMs = 5000;

export function createPresence(told: {
  onFirst(): void;
  /** `since`: when it went. */
  onLastGone(since: Date): void;
}): Presence {
  let pages = 0;
  return {
    pageOpened() {
      pages += 1;
      if (pages === 1) told.onFirst();
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        pages -= 1;
        if (pages > 0) return;
        const since = new Date();
        setTimeout(() => {
          if (pages === 0) told.onLastGone(since);
        }, graceMs).unref();
      };
    },
    count: () => pages,
  };
}
