import { counted } from '../controls/text/counted.ts';

export const pageSizes = [100, 200, 500, 1000] as const;

export interface PagePlace {
  offset: number;
  limit: number;
  /** Rows that the page has; undefined until it has loaded. */
  rows?: number;
  /** Rows in total; undefined while unknown. */
  total?: number;
  /** The last row that paging reaches; undefined if it reaches every row. */
  depth?: number;
}

/** `1–200 of 12,345`. Unknown parts are left out. */
export function pageText({ offset, rows, total }: PagePlace): string {
  if (rows === undefined) return '';
  const count = total === undefined ? '' : ` of ${total.toLocaleString('en')}`;
  if (rows === 0) return total ? `0${count}` : 'No rows';
  return `${(offset + 1).toLocaleString('en')}–${(offset + rows).toLocaleString('en')}${count}`;
}

/** `12 results`. If the page is full, there may be more results: `The 200 best results`. */
export function resultText({ limit, rows }: PagePlace): string {
  if (rows === undefined) return '';
  if (rows === 0) return 'No results';
  if (rows >= limit) return `The ${rows.toLocaleString('en')} best results`;
  return counted(rows, 'result');
}

export interface PageMoves {
  first: number | null;
  previous: number | null;
  next: number | null;
  last: number | null;
}

/** The offsets of the four buttons; null if a button is disabled. */
export function pageMoves({
  offset,
  limit,
  rows,
  total,
  depth = Number.POSITIVE_INFINITY,
}: PagePlace): PageMoves {
  const full = rows !== undefined && rows >= limit;
  const more = total === undefined ? full : offset + (rows ?? limit) < total;
  // The next page may be beyond the paging limit; the driver then reports the limit. The last page is the last one
  // that starts within the limit.
  const reachable = total === undefined ? undefined : Math.min(total, depth);
  const lastOffset = reachable ? Math.floor((reachable - 1) / limit) * limit : null;
  return {
    first: offset > 0 ? 0 : null,
    previous: offset > 0 ? Math.max(0, offset - limit) : null,
    next: more ? offset + limit : null,
    last: more && lastOffset !== null && lastOffset > offset ? lastOffset : null,
  };
}

/** The offset at the new page size that still shows the first row of the old page. */
export function offsetForSize(offset: number, size: number): number {
  return Math.floor(offset / size) * size;
}
