import type { Locator, Page } from 'playwright-core';
import { tabTo, until } from './browser.ts';

/** A grid as a screen reader presents it: headers, row numbers and the active cell. */
export function gridOf(page: Page, label: string) {
  const grid = page.getByRole('grid', { name: label });

  // The scrolling cells are next to the grid in the document. Its rows own them with `aria-owns`.
  const frame = page.locator('[data-grid-frame]').filter({ has: grid });

  const indexOf = async (column: string) =>
    frame.getByRole('columnheader', { name: new RegExp(`^${column}(,|$)`) }).getAttribute('aria-colindex');

  return {
    locator: grid,
    focus: () => tabTo(grid),
    /** Waits until the grid has the focus again. A menu or editor returns the focus a moment after closing. */
    focused: () =>
      until(grid, 'it has the focus', () => grid.evaluate((element) => element === document.activeElement)),
    header: (column: string): Locator =>
      frame.getByRole('columnheader', { name: new RegExp(`^${column}(,|$)`) }),
    /**
     * The values of one column, in the order of the rows in view. If a cell shows an image (a check mark) or
     * a short form (a date, a uuid, a score), its value is in its label or its title.
     */
    async texts(column: string): Promise<string[]> {
      const index = await indexOf(column);
      return frame.locator(`[role=gridcell][aria-colindex="${index}"]`).evaluateAll((cells) =>
        cells
          .map((cell) => ({
            row: Number(cell.closest('[data-line]')?.getAttribute('data-line')),
            text:
              cell.getAttribute('title') ??
              cell.querySelector('[role=img]')?.getAttribute('aria-label') ??
              cell.textContent ??
              '',
          }))
          .sort((a, b) => a.row - b.row)
          .map(({ text }) => text),
      );
    },
    /** The labels of the rows: their numbers, and whether they are edited, new, deleted or not saved. */
    rowHeaders: () =>
      grid
        .getByRole('rowheader')
        .evaluateAll((headers) => headers.map((header) => header.getAttribute('aria-label') ?? '')),
    /** The text that the cells of one column show. */
    async drawn(column: string): Promise<string[]> {
      const index = await indexOf(column);
      return frame.locator(`[role=gridcell][aria-colindex="${index}"]`).allTextContents();
    },
    /** The value of the active cell. */
    async active(): Promise<string | null> {
      const id = await grid.getAttribute('aria-activedescendant');
      if (!id) return null;
      return page
        .locator(`[id="${id}"]`)
        .evaluate(
          (cell) =>
            cell.getAttribute('title') ??
            cell.querySelector('[role=img]')?.getAttribute('aria-label') ??
            cell.textContent,
        );
    },
  };
}
