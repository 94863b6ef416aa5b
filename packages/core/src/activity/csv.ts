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
  return `${columns.map((column) => csvField(entry[column])).join(',')}\r\n`;
}

/** A client chooses its own name, and a spreadsheet would run one that begins like a formula. */
function csvField(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
