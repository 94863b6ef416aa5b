import { cellAt, cellToJson, cellToText, type Json, type RowSet, type RunResult } from '@trestle/driver-kit';

export type ResultFormat = 'csv' | 'jsonl' | 'json';

export const resultFormats: { format: ResultFormat; label: string }[] = [
  { format: 'csv', label: 'CSV' },
  { format: 'jsonl', label: 'JSON lines' },
  { format: 'json', label: 'JSON' },
];

/** The file formats for a result. A document is not a table, so it is saved only as JSON. */
export function formatsOf(result: RunResult): typeof resultFormats {
  if (result.kind === 'affected') return [];
  return result.kind === 'rows' ? resultFormats : resultFormats.filter(({ format }) => format === 'json');
}

/** The text of the file. The CSV library loads with the first CSV file. */
export async function resultText(result: RunResult, format: ResultFormat): Promise<string> {
  if (result.kind !== 'rows')
    return `${JSON.stringify(result.kind === 'document' ? result.document : null, null, 2)}\n`;
  const { rows } = result;
  if (format === 'csv') return csvText(rows);
  const objects = Array.from({ length: rows.rowCount }, (_, row) => rowJson(rows, row));
  if (format === 'json') return `${JSON.stringify(objects, null, 2)}\n`;
  return objects.map((object) => `${JSON.stringify(object)}\n`).join('');
}

/** One row as JSON. If the name of a column is already a key, a number is added to the name: `name (2)`. */
export function rowJson(rows: RowSet, row: number): { [key: string]: Json } {
  const object: { [key: string]: Json } = Object.create(null);
  for (const [at, { name }] of rows.columns.entries()) {
    let key = name;
    for (let copy = 2; key in object; copy++) key = `${name} (${copy})`;
    object[key] = cellToJson(cellAt(rows, at, row));
  }
  return object;
}

/** NULL is an empty field, an empty text is "". Text that a spreadsheet could run as a formula gets an apostrophe. */
async function csvText(rows: RowSet): Promise<string> {
  const { default: csv } = await import('papaparse');
  const data = Array.from({ length: rows.rowCount }, (_, row) =>
    rows.columns.map((_, at) => {
      const cell = cellAt(rows, at, row);
      if (cell === null || typeof cell === 'number' || typeof cell === 'boolean') return cell;
      return typeof cell === 'string' ? escapeFormula(cell) : cellToText(cell);
    }),
  );
  const fields = rows.columns.map(({ name }) => escapeFormula(name));
  return `${csv.unparse({ fields, data }, { quotes: (value: unknown) => value === '' })}\r\n`;
}

/** Only for text. A large integer may start with `-`, and base64 with `+`. Their sign is part of the value. */
function escapeFormula(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

/** Downloads the result as a file through the browser. */
export async function downloadResult(result: RunResult, format: ResultFormat, title: string): Promise<void> {
  const type = format === 'csv' ? 'text/csv' : 'application/json';
  const url = URL.createObjectURL(
    new Blob([await resultText(result, format)], { type: `${type};charset=utf-8` }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = `${fileName(title)}.${format}`;
  link.click();
  URL.revokeObjectURL(url);
}

/**
 * Keeps letters and digits of any script, `_` and `-`. A title with other characters could be a path to another folder
 * or an invalid name.
 */
export function fileName(title: string): string {
  const name = title.replaceAll(/[^\p{L}\p{M}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '');
  return [...name].slice(0, 60).join('') || 'result';
}
