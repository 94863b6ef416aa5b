import type { OpenTable } from '@trestle/mcp-server';

export type TableToOpen = Parameters<OpenTable>[0];

/** Shows a table in the open pages, or opens a window for it. */
interface TableOpener {
  open: OpenTable;
  /**
   * Call `attach` when windows can be opened. `show` brings the app's own window to the front. If there is no such
   * window and no page is open (`hasPage` is false), `show` opens a window. `show` returns false if it fails.
   */
  attach(show: (hasPage: boolean) => Promise<boolean>): void;
  /** Adds the callback of an open page. Returns a function that removes it. */
  on(listener: (table: TableToOpen) => void): () => void;
}

/** How long to wait for the page of a new window. */
const pageWithinMs = 15_000;

export function createTableOpener(): TableOpener {
  const pages = new Set<(table: TableToOpen) => void>();
  let show: (hasPage: boolean) => Promise<boolean> = async () => false;
  let arrived = Promise.withResolvers<void>();
  return {
    async open(table) {
      const isShown = await show(pages.size > 0);
      if (pages.size === 0) {
        if (!isShown) return false;
        await Promise.race([
          arrived.promise,
          new Promise((resolve) => setTimeout(resolve, pageWithinMs).unref()),
        ]);
      }
      for (const page of pages) page(table);
      return pages.size > 0;
    },
    attach(shows) {
      show = shows;
    },
    on(listener) {
      pages.add(listener);
      arrived.resolve();
      return () => {
        pages.delete(listener);
        if (pages.size === 0) arrived = Promise.withResolvers<void>();
      };
    },
  };
}
