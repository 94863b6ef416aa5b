import { type Cell, type ColumnType, type Json, parseCell } from '@trestle/driver-kit';
import { CsvRecords } from '@trestle/driver-kit/csv-records';

/**
 * A pasted value: a text, or a value of JSON or of a copied cell. The type of the target column decides how the text is
 * read. `type` is the type of the column from which the cell was copied. An undefined value leaves its target unchanged.
 */
export type PastedCell = { text: string } | { value: Cell; type?: ColumnType } | undefined;

export interface Pasted {
  rows: PastedCell[][];
  /** The target columns of the values; null if the position of a value decides its column. */
  names: string[] | null;
}

export interface PasteTarget {
  /** The columns that the grid shows. */
  names: string[];
  /** The column of the active cell. */
  column: { name: string; type: ColumnType };
}

/**
 * Reads clipboard text. Its content decides the format: JSON, tab-separated as spreadsheets write it, CSV, or
 * lines. A single line without JSON or tabs is not divided if it may be one value of the active column.
 */
export function readPasted(text: string, target: PasteTarget): Pasted {
  const body = text.replace(/\r\n$|\n$|\r$/, '');
  const json = readJson(body, target);
  if (json) return json;
  if (!/[\t\r\n]/.test(body)) {
    return byPlace(isOneValue(body, target) ? [[body]] : (csvRows(body) ?? [[body]]));
  }
  const rows = body.includes('\t') ? null : csvRows(body);
  return withHeader(rows ?? separated(body, '\t') ?? plainRows(body), target);
}

function readJson(text: string, target: PasteTarget): Pasted | null {
  if (!/^\s*[[{]/.test(text)) return null;
  const value = parseJson(text) ?? parseJsonLines(text);
  if (value === undefined) return null;
  const takesJson = target.column.type === 'json' || target.column.type === 'vector';
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > 0 && list.every(isObject)) {
    const names = [...new Set(list.flatMap((row) => Object.keys(row)))];
    const isKnown = (name: string) => target.names.includes(name);
    // In a column that takes JSON, the objects may be one value. They count as rows only if the
    // grid shows a column for every name. In any other column, one such name is enough.
    if (names.length > 0 && (takesJson ? names.every(isKnown) : names.some(isKnown))) {
      const rows = list.map((row) => names.map((name) => valueCell(Object.hasOwn(row, name), row[name])));
      return { rows, names };
    }
  }
  const isGrid = list.every(Array.isArray) && list.some((row) => row.length > 0);
  if (!takesJson && isGrid) {
    return { rows: list.map((row) => row.map((cell) => valueCell(true, cell))), names: null };
  }
  return { rows: [[{ text }]], names: null };
}

/** Keeps the exact digits of integers that a double may round. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (_, value, context?: { source?: string }) => {
      const exact = typeof value === 'number' && !Number.isSafeInteger(value) && context?.source;
      return exact && /^-?\d{16,1000}$/.test(exact) ? BigInt(exact) : value;
    });
  } catch {
    return undefined;
  }
}

function parseJsonLines(text: string): unknown[] | undefined {
  const rows = text
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .map(parseJson);
  return rows.length > 1 && rows.every(isObject) ? rows : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueCell(isGiven: boolean, value: unknown): PastedCell {
  return isGiven ? { value: value as Json } : undefined;
}

/**
 * In a column of numbers, `1,5` is not a number, so the comma separates two values. In a column of text, `1,5` is one
 * text, but a line that starts and ends with a quote may be CSV.
 */
function isOneValue(text: string, { column }: PasteTarget): boolean {
  const holdsText = column.type === 'text' || column.type === 'any' || column.type === 'json';
  return holdsText ? !/^".*"$/.test(text) : parseCell(text, column.type).ok;
}

/**
 * The rows if the text is CSV; null if it may be prose. In CSV every line has the same number of fields. In prose
 * a space follows each comma or semicolon.
 */
function csvRows(text: string): string[][] | null {
  for (const delimiter of [',', ';']) {
    const rows = separated(text, delimiter);
    // A CSV file may end with blank lines.
    while (rows && rows.length > 2 && rows.at(-1)?.join() === '') rows.pop();
    const width = rows?.[0]?.length ?? 0;
    if (!rows || width < 2 || rows.some((row) => row.length !== width)) continue;
    if (!rows.every((row) => row.slice(1).every((field) => field.startsWith(' ')))) return rows;
  }
  return null;
}

/** The fields of each line. Null if a quote is misplaced or not closed: no spreadsheet writes such text. */
function separated(text: string, delimiter: string): string[][] | null {
  const records = new CsvRecords(delimiter, { keepsBlank: true });
  try {
    const found = [...records.add(text), ...records.end()];
    if (found.some(({ problem }) => problem !== undefined)) return null;
    return found.map(({ fields }) => fields.map((field) => field ?? ''));
  } catch {
    return null;
  }
}

function plainRows(text: string): string[][] {
  return text.split(/\r\n|\n|\r/).map((line) => line.split('\t'));
}

/**
 * If the first of several lines consists of different column names, the values go into those columns. A single name
 * counts only if it is the name of the active column.
 */
function withHeader(rows: string[][], { names, column }: PasteTarget): Pasted {
  const [first = []] = rows;
  const isHeader =
    rows.length > 1 &&
    new Set(first).size === first.length &&
    first.every((name) => names.includes(name)) &&
    (first.length > 1 || first[0] === column.name);
  return isHeader ? { ...byPlace(rows.slice(1)), names: first } : byPlace(rows);
}

function byPlace(rows: string[][]): Pasted {
  return { rows: rows.map((row) => row.map((text) => ({ text }))), names: null };
}
