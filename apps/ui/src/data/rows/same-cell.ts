import { type Cell, cellToText } from '@trestle/driver-kit';

/** Whether two cells are equal; 1 is not '1'. */
export function sameCell(a: Cell, b: Cell): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Uint8Array !== b instanceof Uint8Array) return false;
  return cellToText(a) === cellToText(b);
}
