import { isCutCell } from '@trestle/driver-kit';

/** What is said after the first characters of a long text. A copy has the rest, unless the rest was never read. */
export function longTextNote(text: string): string {
  return isCutCell(text)
    ? 'This value is too large: only its beginning was read, and Copy gives only that.'
    : `${text.length.toLocaleString('en')} characters. Copy gives all of them.`;
}
