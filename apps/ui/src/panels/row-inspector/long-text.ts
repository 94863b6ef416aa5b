import { isCutCell } from '@trestle/driver-kit';

/** The note after the shown part of a long text. Copy includes the rest, unless the rest was never read. */
export function longTextNote(text: string): string {
  return isCutCell(text)
    ? 'This value is too large: only its beginning was read, and Copy gives only that.'
    : `${text.length.toLocaleString('en')} characters. Copy gives all of them.`;
}
