/** Counts the open pages, and tells when the last one has been gone for a while. */
export interface Presence {
  pageOpened(): () => void;
  count(): number;
}

/** A reload, or a laptop that wakes, reconnects within this time. */
const graceMs = 5000;

export function createPresence(onLastGone: () => void): Presence {
  let pages = 0;
  return {
    pageOpened() {
      pages += 1;
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        pages -= 1;
        if (pages > 0) return;
        setTimeout(() => {
          if (pages === 0) onLastGone();
        }, graceMs).unref();
      };
    },
    count: () => pages,
  };
}
