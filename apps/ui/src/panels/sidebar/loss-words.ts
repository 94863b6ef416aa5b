import { type Loss, rowsLost } from '@trestle/driver-kit';
import { counted } from '../../controls/text/counted.ts';
import type { TableSummary } from '../../data/api/api-types.ts';

export interface LossLine {
  /** Empty if the rows cannot be counted. */
  count: string;
  words: string;
}

/** `term`: the database's own word for a table. A view is always called a view. */
export function wordFor(kind: TableSummary['kind'], term: string): string {
  return kind === 'view' ? 'view' : term;
}

/** `Delete 1,204 rows?`, or `Delete the table planets?` if a count is unknown or all counts are 0. */
export function lossTitle(loss: Loss, term: string, table: string): string {
  const rows = rowsLost(loss.tables);
  return rows ? `Delete ${counted(rows, 'row')}?` : `Delete the ${term} ${table}?`;
}

/** The losses: a line for each table or partition, and a line for unsaved changes, if there are any. */
export function lossLines(loss: Loss, at: { table: string; unsaved: number }): LossLine[] {
  const lines = loss.tables.map(({ table, partition, rows }): LossLine => {
    const where = partition === undefined ? table : `${table}, ${partition}`;
    if (rows === null) return { count: '', words: `rows of ${where}, which cannot be counted` };
    const what = rows === 1 ? 'row' : 'rows';
    if (table === at.table) return { count: number(rows), words: `${what} of ${where}, with all values` };
    const belong = rows === 1 ? 'belongs' : 'belong';
    return { count: number(rows), words: `${what} of ${where} that ${belong} to ${at.table}` };
  });
  if (at.unsaved > 0) {
    const words = at.unsaved === 1 ? 'changed row that is not saved' : 'changed rows that are not saved';
    lines.push({ count: number(at.unsaved), words });
  }
  return lines;
}

function number(count: number): string {
  return count.toLocaleString('en');
}
