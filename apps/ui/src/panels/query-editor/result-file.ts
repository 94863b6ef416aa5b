import { cellAt, cellToJson, type Json, type RowSet, type RunResult } from '@trestle/driver-kit';
import { csvCell, csvName, escapeFormula } from '@trestle/driver-kit/csv-field';

/** `spreadsheetCsv`: text that a spreadsheet would run as a formula gets an apostrophe. An import gets the apostrophe too. */
export type ResultFormat = 'csv' | 'spreadsheetCsv' | 'jsonl' | 'json';

export const resultFormats: { format: ResultFormat; label: string }[] = [
  { format: 'csv', label: 'CSV' },
  { format: 'spreadsheetCsv', label: 'CSV for a spreadsheet (formulas become text)' },
  { format: 'jsonl', label: 'JSON lines' },
  { format: 'json', label: 'JSON' },
];

/** The file formats for a result. A document is not a table, so it is saved only as JSON. */
export function formatsOf(result: RunResult): typeof resultFormats {
  if (result.kind === 'affected') return [];
  return result.kind === 'rows' ? resultFormats : resultFormats.filter(({ format }) => format === 'json');
}

/** The text of the file. */
export function resultText(result: RunResult, format: ResultFormat): string {
  if (result.kind !== 'rows')
    return `${JSON.stringify(result.kind === 'document' ? result.document : null, null, 2)}\n`;
  const { rows } = result;
  if (format === 'csv' || format === 'spreadsheetCsv') return csvText(rows, format === 'spreadsheetCsv');
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

/** NULL is an empty field, an empty text is "". */
function csvText(rows: RowSet, escapeFormulas: boolean): string {
  const header = rows.columns.map(({ name }) => csvName(escapeFormulas ? escapeFormula(name) : name));
  const lines = Array.from({ length: rows.rowCount }, (_, row) =>
    rows.columns.map((_, at) => csvCell(cellAt(rows, at, row), { escapeFormulas })),
  );
  return [header, ...lines].map((fields) => `${fields.join(',')}\r\n`).join('');
}

/** Downloads the result as a file through the browser. */
export function downloadResult(result: RunResult, format: ResultFormat, title: string): void {
  const ending = format === 'spreadsheetCsv' ? 'csv' : format;
  const type = ending === 'csv' ? 'text/csv' : 'application/json';
  const url = URL.createObjectURL(new Blob([resultText(result, format)], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${fileName(title)}.${ending}`;
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
