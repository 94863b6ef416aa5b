import type { ColumnResults } from './use-lab-column.ts';

/** The height of a row in pixels. The style sheet has the same number. */
export const rowHeight = 50;
/** The height in pixels of a group heading, and of the line between kept rows and cut rows. The style sheet has the same number. */
export const markHeight = 26;

export interface ColumnLayout {
  /** The middle of each row, in pixels from the top. */
  middles: number[];
  height: number;
}

/** The positions of a column's rows. The cut and the group headings push the rows below them down. */
export function columnLayout(
  results: Pick<ColumnResults, 'rows' | 'groups' | 'kept'> | undefined,
): ColumnLayout {
  const middles: number[] = [];
  let top = 0;
  for (const index of results?.rows.keys() ?? []) {
    if (results?.groups.has(index)) top += markHeight;
    if (hasCut(results, index)) top += markHeight;
    middles.push(top + rowHeight / 2);
    top += rowHeight;
  }
  return { middles, height: top };
}

/** Whether the cut is directly before this row. The cut is after the first `kept` rows. */
export function hasCut(results: Pick<ColumnResults, 'rows' | 'kept'> | undefined, index: number): boolean {
  return results !== undefined && results.kept === index && results.kept < results.rows.length;
}
