import type { QueryOutcome } from '@trestle/core';
import {
  amount,
  type Cell,
  type ColumnValues,
  cellAt,
  cellToJson,
  cellToText,
  float32ToNumber,
  type RowSet,
  type RunResult,
} from '@trestle/driver-kit';
import { plainText, safeJson } from './output.ts';

/** A longer cell is cut, also if the output is no terminal: it would make every row of its column as wide. */
const widestCell = 1000;

/** How many numbers of a vector are shown. */
const shownNumbers = 3;

/** The results for a person. `width`: that of the terminal, if the output is one. */
export function* outcomeLines(outcome: QueryOutcome, width: number | undefined): Generator<string> {
  const { results } = outcome;
  for (const [index, result] of results.entries()) {
    if (index > 0) yield '';
    if (result.title !== undefined) yield plainText(result.title);
    yield* resultLines(result, width);
  }
}

export function messageLines({ messages }: QueryOutcome): string[] {
  return messages.map(({ level, text, path }) => {
    const place = path && path.length > 0 ? ` (at ${path.join('.')})` : '';
    return `${level === 'info' ? '' : `${level}: `}${text}${place}`;
  });
}

/** The outcome for a script. Integers that a double would round are texts, as in `trestle export`. */
export function jsonOf({ effect, results, messages, durationMs }: QueryOutcome) {
  return { effect, results: results.map(resultToJson), messages, durationMs };
}

function resultToJson(result: RunResult) {
  if (result.kind !== 'rows') return result;
  const { rows, kind, title, truncated } = result;
  const columns = rows.columns.map(({ name, type, nativeType }) => ({ name, type, nativeType }));
  return { kind, ...(title !== undefined && { title }), truncated, columns, rows: [...rowsToJson(rows)] };
}

function* rowsToJson(rows: RowSet) {
  for (let row = 0; row < rows.rowCount; row++) {
    yield rows.columns.map((_, column) => cellToJson(cellAt(rows, column, row)));
  }
}

function* resultLines(result: RunResult, width: number | undefined): Generator<string> {
  if (result.kind === 'affected') yield `${amount(result.rows, 'row')} changed`;
  else if (result.kind === 'document') yield safeJson(result.document);
  else {
    yield* tableLines(result.rows, width);
    const more = result.truncated ? ', and more: raise --limit' : '';
    yield `(${amount(result.rows.rowCount, 'row')}${more})`;
  }
}

function* tableLines({ columns, values, rowCount }: RowSet, width: number | undefined): Generator<string> {
  if (columns.length === 0) return;
  const heads = columns.map(({ name }) => cut(plainText(name), widestCell));
  const cells = values.map((column) =>
    Array.from({ length: rowCount }, (_, row) => cut(cellText(column, row), widestCell)),
  );
  const natural = heads.map((head, column) =>
    cells[column]!.reduce((most, cell) => Math.max(most, widthOf(cell)), widthOf(head)),
  );
  const widths = width === undefined ? natural : fitted(natural, width);
  const line = (texts: string[]) =>
    texts
      .map((text, column) => padded(cut(text, widths[column]!), widths[column]!))
      .join('  ')
      .trimEnd();
  yield line(heads);
  yield widths.map((size) => '-'.repeat(size)).join('  ');
  for (let row = 0; row < rowCount; row++) yield line(cells.map((column) => column[row]!));
}

/** NULL is shown as NULL. A text that reads NULL is quoted, so the two differ. */
function cellText(values: ColumnValues, row: number): string {
  if (values.kind === 'vectors') return vectorText(values, row);
  const cell: Cell = values.cells[row] ?? null;
  if (cell === null) return 'NULL';
  if (typeof cell === 'string' && /^"*NULL"*$/.test(cell)) return `"${cell}"`;
  // A part is enough: the text is cut anyway.
  return plainText(cellToText(typeof cell === 'string' ? cell.slice(0, 2 * widestCell) : cell));
}

function vectorText(
  { dimensions, floats, present }: Extract<ColumnValues, { kind: 'vectors' }>,
  row: number,
): string {
  if (!present[row]) return 'NULL';
  const start = row * dimensions;
  const first = Array.from(floats.subarray(start, start + Math.min(dimensions, shownNumbers)), (one) =>
    String(float32ToNumber(one)),
  );
  return `[${first.join(', ')}${dimensions > shownNumbers ? `, … ${dimensions} numbers` : ''}]`;
}

/** Takes room from the widest columns until the table fits. A table of many columns stays wider than the terminal. */
function fitted(natural: number[], width: number): number[] {
  const room = Math.max(width - 2 * (natural.length - 1), natural.length * narrowest);
  let most = Math.max(...natural);
  const sum = () => natural.reduce((total, one) => total + Math.min(one, most), 0);
  while (most > narrowest && sum() > room) most--;
  return natural.map((one) => Math.min(one, most));
}

const narrowest = 4;

function cut(text: string, width: number): string {
  if (text.length <= width && widthOf(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += widthOf(character);
    if (used > width - 1) return `${kept}…`;
    kept += character;
  }
  return text;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** How many cells of the terminal a text takes. Letters of East Asia and most emoji take two. */
function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    width += wide.test(character) ? 2 : 1;
  }
  return width;
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
