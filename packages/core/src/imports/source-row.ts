import { AppError } from '../errors.ts';

/** A value as the file has it. `bigint` only for a whole number that a double would round. */
export type SourceValue = null | string | number | bigint | boolean | object;

/** One row of a file. */
export interface SourceRow {
  /** 1 for the first row. Several rows of a JSON file may stand on one line; they differ in this. */
  ordinal: number;
  /** Where the row begins. */
  line: number;
  /** The columns that the row has. Empty where `problem` is set. */
  values: Map<string, SourceValue>;
  /** Why the row cannot be read; the rows after it can. */
  problem?: string;
  /** The fields (CSV) or the text (JSON) of a row that cannot be read, so that a report can hold it. */
  unread?: (string | null)[] | string;
  /** Roughly how many characters the row has. */
  size: number;
}

/** A row that takes more is a quote or bracket that never ends, and would fill the memory. */
export const mostRowChars = 32 * 1024 * 1024;

/** The file cannot be read from this line on. */
export function unreadable(line: number, problem: string): AppError {
  return new AppError({ code: 'invalid_argument', message: `Line ${line}: ${problem}` });
}

export function rowTooLarge(line: number, hint: string): AppError {
  return unreadable(line, `the row that begins here has more than ${mostRowChars} characters. ${hint}`);
}
