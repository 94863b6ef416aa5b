import { cellToText } from './cell-text.ts';
import type { Cell } from './values.ts';

/** One field of a CSV file (RFC 4180). NULL is an empty field, and the empty text is `""`, so the two differ. */
export function csvField(text: string | null, delimiter = ','): string {
  if (text === null) return '';
  const needsQuotes = text === '' || text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text);
  return needsQuotes ? quoted(text) : text;
}

/**
 * One name of a CSV header. Also quoted if it contains a possible delimiter or begins like JSON. Otherwise an import
 * could choose another delimiter, or read the file as JSON.
 */
export function csvName(name: string, delimiter = ','): string {
  return /^[[{]|[,;\t|]/.test(name) ? quoted(name) : csvField(name, delimiter);
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** The field of one cell. With `escapeFormulas`, a spreadsheet shows text instead of running it. */
export function csvCell(cell: Cell, { escapeFormulas }: { escapeFormulas: boolean }): string {
  if (cell === null) return '';
  const text = cellToText(cell);
  // A number may begin with `-`, and base64 with `+`. That character is part of the value, and harmless there.
  const isText = typeof cell === 'string' || (typeof cell === 'object' && !(cell instanceof Uint8Array));
  return csvField(escapeFormulas && isText ? escapeFormula(text) : text);
}

/**
 * Puts an apostrophe before text that Excel, LibreOffice or Google Sheets would run (OWASP, CSV injection). Also inside
 * the text, where a spreadsheet that divides at another character would see a new field: Excel divides at semicolons in
 * many languages, and then ignores the quotes of a field that follows a comma. Blanks before a formula count, because
 * some programs trim a field. A first line that begins with `sep=` would choose another character for Excel.
 */
export function escapeFormula(text: string): string {
  return text.replaceAll(
    /^(?=[\t\r\n]|sep=|(?:[^\S\t\r\n]|[\u200b\u2060])*[=+\-@\uff1d\uff0b\uff0d\uff20])|(?<=[;\t\r\n])(?=(?:[^\S\t\r\n]|["\u200b\u2060])*[=+\-@\uff1d\uff0b\uff0d\uff20])/gi,
    "'",
  );
}
