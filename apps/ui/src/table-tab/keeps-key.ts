import type { StagedRows } from '@trestle/core/staged-edits';
import { type Cell, ownValue, sameCell } from '@trestle/driver-kit';

/** Whether a new row that was sent before would be sent with the same key again. The user may have typed another key. */
export function keepsKey({ inserted, sentAs }: StagedRows, row: string): boolean {
  const values = inserted.get(row);
  const isSame = ([column, cell]: [string, Cell]) => {
    const now = ownValue(values, column);
    return now === undefined || now === null || now === '' || sameCell(now, cell);
  };
  const key = sentAs.get(row);
  return key !== undefined && Object.entries(key).every(isSame);
}
