import { type ColumnType, parseCell } from '@trestle/driver-kit';
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
  const lines = readCsv(text.replace(/^\uFEFF/, ''));
  if (lines === null) return { ok: false, problem: 'A quotation mark is never closed' };
  const filled = lines.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const hasNames = /^(query|text|question)$/i.test(filled[0]?.cells[0]?.trim() ?? '');
  const queries = new Map<string, Set<string>>();
  for (const { number, cells } of filled.slice(hasNames ? 1 : 0)) {
    const [query = '', ...keys] = cells.map((cell) => cell.trim());
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

interface CsvLine {
  /** The line of the file where `cells` start. A quoted cell may contain line breaks, so `cells` may span lines. */
  number: number;
  cells: string[];
}

/**
 * Cells by line, with quotes as in RFC 4180. A line ends with LF, CR LF or CR. Null if a quote is not closed.
 */
function readCsv(text: string): CsvLine[] | null {
  const comma = separatorOf(text);
  let number = 1;
  const lines: CsvLine[] = [{ number, cells: [] }];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\n' || (sign === '\r' && text[at + 1] !== '\n')) number++;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (sign === '"' && cell === '') isQuoted = true;
    else if (sign === comma) {
      lines.at(-1)?.cells.push(cell);
      cell = '';
    } else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text[at + 1] === '\n') continue;
      lines.at(-1)?.cells.push(cell);
      cell = '';
      lines.push({ number, cells: [] });
    } else cell += sign;
  }
  if (isQuoted) return null;
  lines.at(-1)?.cells.push(cell);
  return lines;
}

/** A tab if the first line that is not empty has one outside of quotes, else a comma. */
function separatorOf(text: string): '\t' | ',' {
  let isQuoted = false;
  let endedAt: number | null = null;
  for (let at = /^[\r\n]*/.exec(text)![0].length; at < text.length; at++) {
    const sign = text[at]!;
    if (isQuoted) {
      // `""` stands for one quote inside the cell. Here its first half ends the quoted part, and its second half
      // starts it again.
      if (sign === '"') {
        isQuoted = false;
        endedAt = at;
      }
    } else if (sign === '"') isQuoted = endedAt === at - 1 || /[,\r\n]/.test(text[at - 1] ?? '\n');
    else if (sign === '\t') return '\t';
    else if (sign === '\n' || sign === '\r') return ',';
  }
  return ',';
}
