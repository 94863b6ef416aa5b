import { cellToText, type RowKey } from '@trestle/driver-kit';

/** The key of a row as readable text. */
export function keyText(key: RowKey): string {
  return Object.values(key).map(cellToText).join(' · ');
}
