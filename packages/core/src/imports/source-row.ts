import { AppError } from '../errors.ts';

/** A value as the file has it. `bigint` only for a whole number that is not a safe integer. */
export type SourceValue = null | string | number | bigint | boolean | object;

/** One row of a file. */
export interface SourceRow {
  /** The row's position, from 1. Rows of a JSON file may share a line, so the line does not identify them. */
  ordinal: number;
  /** The line where the row begins. */
  line: number;
  /** The row's values by column. Empty if `problem` is set. */
  values: Map<string, SourceValue>;
  /** Why the row cannot be read. The reader goes on with the next row. */
  problem?: string;
  /** The fields (CSV) or the text (JSON) of a row that cannot be read, for the file of failed rows. */
  unread?: (string | null)[] | string;
  /** The approximate number of characters in the row. */
  size: number;
}

/** A larger row most likely has a quote or bracket that is never closed. It would fill the memory. */
export const mostRowChars = 32 * 1024 * 1024;

/** The file cannot be read from this line on. */
export function unreadable(line: number, problem: string): AppError {
  return new AppError({ code: 'invalid_argument', message: `Line ${line}: ${problem}` });
}

export function rowTooLarge(line: number, hint: string): AppError {
  return unreadable(line, `the row that begins here has more than ${mostRowChars} characters. ${hint}`);
}
