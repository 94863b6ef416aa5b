import type { OpenTable } from '@trestle/mcp-server';

export type TableToOpen = Parameters<OpenTable>[0];

/** Shows a table in the pages that are open, or in a window that is opened for it. */
export interface TableOpener {
  open: OpenTable;
  /** Once there are windows. Opens one, or brings ours to the front; false where it cannot. */
  attach(show: (hasPage: boolean) => Promise<boolean>): void;
  /** What a page follows for as long as it is there. */
  on(listener: (table: TableToOpen) => void): () => void;
}

/** A browser that takes longer to start is not waited for. */
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
