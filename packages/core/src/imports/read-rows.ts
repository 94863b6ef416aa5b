import { amount } from '@trestle/driver-kit';
import { CsvError, CsvRecords, detectDelimiter } from '@trestle/driver-kit/csv-records';
import { JsonArray, JsonLines, type JsonText } from './json-texts.ts';
import { parseJsonRow } from './parse-json-row.ts';
import { mostRowChars, type SourceRow, unreadable } from './source-row.ts';

export type ImportFormat = 'csv' | 'json' | 'jsonl';

export interface RowReader {
  readonly format: ImportFormat;
  /** Set for a CSV file. */
  readonly delimiter?: string;
  add(text: string): SourceRow[];
  end(): SourceRow[];
  /** Every column seen so far. For a CSV file: the header. */
  columns(): string[];
}

/**
 * Reads the rows of a text. The first character that is not blank determines the format. Does not hold the whole text
 * in memory.
 */
export async function* readRows(
  pieces: AsyncIterable<string>,
  onReader: (reader: RowReader) => void = () => {},
): AsyncGenerator<SourceRow[]> {
  let reader: RowReader | undefined;
  let start = '';
  let isBlank = true;
  for await (const piece of pieces) {
    let text = piece;
    if (!reader) {
      start += piece;
      isBlank &&= piece.trim() === '';
      if (!isBlank) reader = readerFor(start, { isWhole: start.length > mostHeaderChars });
      if (!reader) continue;
      onReader(reader);
      text = start;
    }
    const rows = reader.add(text);
    if (rows.length > 0) yield rows;
  }
  if (!reader && !isBlank) {
    reader = readerFor(start, { isWhole: true })!;
    onReader(reader);
    const rows = reader.add(start);
    if (rows.length > 0) yield rows;
  }
  const last = reader?.end() ?? [];
  if (last.length > 0) yield last;
}

/** If the first line of a CSV file is longer, the delimiter is chosen from its start. */
const mostHeaderChars = 1024 * 1024;

/**
 * Undefined if the first line of a CSV file, which determines the delimiter, is incomplete. With `isWhole`, the line
 * counts as complete.
 */
function readerFor(start: string, { isWhole }: { isWhole: boolean }): RowReader | undefined {
  const text = start.trimStart();
  if (text[0] === '[') return jsonReader('json', new JsonArray());
  if (text[0] === '{') return jsonReader('jsonl', new JsonLines());
  const { delimiter, hasEnded } = detectDelimiter(text);
  return hasEnded || isWhole ? csvReader(delimiter) : undefined;
}

function csvReader(delimiter: string): RowReader {
  const records = new CsvRecords(delimiter, { mostChars: mostRowChars });
  let header: string[] | undefined;
  let ordinal = 0;
  const take = (read: () => ReturnType<CsvRecords['add']>): SourceRow[] => {
    const rows: SourceRow[] = [];
    for (const { line, fields, size, problem } of readable(read)) {
      if (!header) {
        header = readHeader(fields, line, problem);
        continue;
      }
      const place = { ordinal: ++ordinal, line, size };
      const wrong = problem ?? (fields.length === header.length ? undefined : fieldCount(fields, header));
      if (wrong) rows.push({ ...place, values: new Map(), problem: wrong, unread: fields });
      else rows.push({ ...place, values: new Map(header.map((name, index) => [name, fields[index]!])) });
    }
    return rows;
  };
  return {
    format: 'csv',
    delimiter,
    add: (text) => take(() => records.add(text)),
    end: () => take(() => records.end()),
    columns: () => header ?? [],
  };
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error.line, error.message) : error;
  }
}

function readHeader(fields: (string | null)[], line: number, problem: string | undefined): string[] {
  if (problem) throw unreadable(line, problem);
  const names = fields.map((field) => field ?? '');
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (names.some((name) => name.trim() === ''))
    throw unreadable(line, 'the header has a column without a name');
  if (twice !== undefined) throw unreadable(line, `the header names the column "${twice}" twice`);
  return names;
}

function fieldCount(fields: unknown[], header: string[]): string {
  return `${amount(fields.length, 'field')}, but the header has ${header.length}`;
}

function jsonReader(format: 'json' | 'jsonl', texts: JsonArray | JsonLines): RowReader {
  const columns = new Set<string>();
  let ordinal = 0;
  const take = (found: JsonText[]): SourceRow[] =>
    found.map(({ line, text }) => {
      const place = { ordinal: ++ordinal, line, size: text.length };
      const parsed = parseJsonRow(text);
      if ('problem' in parsed) return { ...place, values: new Map(), problem: parsed.problem, unread: text };
      for (const name of parsed.values.keys()) columns.add(name);
      return { ...place, values: parsed.values };
    });
  return {
    format,
    add: (text) => take(texts.add(text)),
    end: () => take(texts.end()),
    columns: () => [...columns],
  };
}
