import { type ColumnType, parseCell } from '@trestle/driver-kit';
import { CsvRecords, detectDelimiter } from '@trestle/driver-kit/csv-records';
import type { JudgedQuery } from './query-set.ts';

export type ReadQueries = { ok: true; queries: JudgedQuery[] } | { ok: false; problem: string };

/** Reads a file of queries. If that fails, `problem` names the file. */
export async function readQueryFile(
  file: Pick<File, 'name' | 'text'>,
  keyType?: ColumnType,
): Promise<ReadQueries> {
  const text = await file.text().catch(() => null);
  if (text === null) {
    const problem = `Could not read ${file.name}. Check that the file exists and that you may read it.`;
    return { ok: false, problem };
  }
  const read = readQueries(text, keyType);
  return read.ok ? read : { ok: false, problem: `${file.name}: ${read.problem}.` };
}

/**
 * Reads queries and the keys of the rows they should find: `query,id`, one pair per line. A line may have several keys,
 * in further cells, or in one cell with spaces, semicolons or vertical bars between them. The first line that is not
 * empty may contain the column names: its first cell is then `query`, `text` or `question`. In a table whose keys are
 * uuids, a key that is no uuid is a problem, because no row can have that key.
 */
export function readQueries(text: string, keyType?: ColumnType): ReadQueries {
  const records = csvRecords(text.replace(/^\uFEFF/, ''));
  if (records === null) return { ok: false, problem: 'A quotation mark is never closed' };
  const filled = records
    .map(({ line, fields }) => ({ number: line, cells: fields.map((field) => field?.trim() ?? '') }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const hasNames = /^(query|text|question)$/i.test(filled[0]?.cells[0] ?? '');
  const queries = new Map<string, Set<string>>();
  for (const { number, cells } of filled.slice(hasNames ? 1 : 0)) {
    const [query = '', ...keys] = cells;
    const expected = keys.flatMap((cell) => cell.split(/[\s;|]+/)).filter((key) => key !== '');
    if (query === '') return { ok: false, problem: `Line ${number} has no query` };
    if (expected.length === 0) return { ok: false, problem: `Line ${number} has no id for “${query}”` };
    const wrong = keyType === 'uuid' && expected.find((key) => !parseCell(key, 'uuid').ok);
    if (wrong) return { ok: false, problem: `Line ${number}: “${wrong}” is not a uuid` };
    const known = queries.get(query) ?? new Set();
    for (const key of expected) known.add(keyOf(key));
    queries.set(query, known);
  }
  if (queries.size === 0) return { ok: false, problem: 'The file has no queries' };
  return {
    ok: true,
    queries: [...queries].map(([query, keys]) => ({ text: query, right: [...keys], wrong: [] })),
  };
}

/** Some programs write uuids in capitals. The uuids of rows have small letters. */
function keyOf(text: string): string {
  const uuid = parseCell(text, 'uuid');
  return uuid.ok ? String(uuid.cell) : text;
}

/** The records of a file. Null if a quote is not closed. */
function csvRecords(text: string) {
  // Only these delimiters: the others may stand between the keys in one cell.
  const { delimiter } = detectDelimiter(text.replace(/^[\r\n]+/, ''), ['\t']);
  const records = new CsvRecords(delimiter);
  try {
    return [...records.add(text), ...records.end()];
  } catch {
    return null;
  }
}
