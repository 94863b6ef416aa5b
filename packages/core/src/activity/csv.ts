import { csvField, escapeFormula } from '@trestle/driver-kit/csv-field';
import type { ActivityEntry } from '../types.ts';

const columns = [
  'id',
  'at',
  'action',
  'outcome',
  'tokenName',
  'clientName',
  'connectionId',
  'detail',
  'durationMs',
  'rows',
  'digest',
] as const satisfies (keyof ActivityEntry)[];

export const csvHead = `${columns.join(',')}\r\n`;

export function csvLine(entry: ActivityEntry): string {
  return `${columns.map((column) => fieldOf(entry[column])).join(',')}\r\n`;
}

/** A client chooses its own name. A spreadsheet would run a name that begins like a formula. */
function fieldOf(value: string | number | null): string {
  if (value === null) return '';
  return csvField(typeof value === 'string' ? escapeFormula(value) : String(value));
}
