import { DriverError } from './errors.ts';
import { fingerprint } from './fingerprint.ts';
import type { RunMessage } from './session.ts';
import type { Cell, Json, RowSet } from './values.ts';

/** A larger text is cut and marked. A note replaces any other larger value. */
export const maxCellBytes = 8 * 1024 * 1024;

/** A larger answer is truncated, refused or replaced by a message: one answer must not block other calls. */
export const maxAnswerBytes = 64 * 1024 * 1024;

/** How many characters of a cut text are kept. */
const keptCharacters = 1_000_000;

/** The approximate memory of a value in bytes. Stops counting above `enough`. */
export function weigh(value: unknown, enough = Number.POSITIVE_INFINITY): number {
  let weight = 0;
  const waiting: object[] = [];
  const put = (one: unknown) => {
    weight += 8;
    if (typeof one === 'string') weight += one.length;
    else if (ArrayBuffer.isView(one)) weight += one.byteLength;
    else if (typeof one === 'object' && one !== null) waiting.push(one);
  };
  put(value);
  for (let one = waiting.pop(); one && weight <= enough; one = waiting.pop()) {
    if (Array.isArray(one)) {
      for (let index = 0; index < one.length && weight <= enough; index++) put(one[index]);
      continue;
    }
    for (const [key, inner] of Object.entries(one)) {
      weight += key.length;
      put(inner);
    }
  }
  return weight;
}

/** The fingerprint is that of the whole value, so a save can tell whether the value is still the same. */
export function cutCell(cell: Cell): Cell {
  const size = typeof cell === 'object' && cell !== null ? weigh(cell, maxCellBytes) : lengthOf(cell);
  if (size <= maxCellBytes) return cell;
  if (typeof cell !== 'string') {
    const much = cell instanceof Uint8Array ? `${cell.length} bytes` : 'A value';
    return `⟨${much}, too large to show: over ${maxCellBytes} bytes, fingerprint ${fingerprint(cell)}⟩`;
  }
  const note = `⟨cut: ${cell.length} characters, fingerprint ${fingerprint(cell)}⟩`;
  return `${cell.slice(0, keptCharacters).toWellFormed()}… ${note}`;
}

/** Whether this value is a cut text or a note from `cutCell`. Saving it would lose the real value. */
export function isCutCell(cell: Cell | undefined): boolean {
  if (typeof cell !== 'string') return false;
  if (cell.length > keptCharacters)
    return /… ⟨cut: \d+ characters, fingerprint [0-9a-f]{14}⟩$/.test(cell.slice(-90));
  return (
    cell.length < 130 &&
    /^⟨(A value|\d+ bytes), too large to show: over \d+ bytes, fingerprint [0-9a-f]{14}⟩$/.test(cell)
  );
}

/** Replaces each cell by its `cutCell`, in place. Returns the same rows. */
export function cutCells(rows: RowSet): RowSet {
  for (const values of rows.values) {
    if (values.kind !== 'cells') continue;
    const { cells } = values;
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index];
      if (typeof cell === 'string' ? cell.length > maxCellBytes : typeof cell === 'object' && cell !== null)
        cells[index] = cutCell(cell as string | Json[]);
    }
  }
  return rows;
}

export function answerTooLarge(): DriverError {
  return new DriverError({
    code: 'query_failed',
    message: `The answer is larger than ${maxAnswerMegabytes} MB`,
    hint: 'Ask for fewer rows, or leave out the columns with large values.',
  });
}

/** Replaces the answer to a statement that has changed data. An error could make the caller repeat the statement. */
export function answerLeftOut(): RunMessage {
  return {
    level: 'warning',
    text:
      `The statement was carried out. Its answer is larger than ${maxAnswerMegabytes} MB and is not shown. ` +
      'Do not run it again.',
  };
}

const maxAnswerMegabytes = maxAnswerBytes / 1024 / 1024;

function lengthOf(cell: Cell): number {
  return typeof cell === 'string' ? cell.length : 8;
}
