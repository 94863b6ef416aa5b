import type { ImportReport, ImportRunBody } from '@trestle/desktop/router';
import { counted } from '../../controls/text/counted.ts';

/** The sentence about stored rows for which the database gave a warning; null if there are none. */
export function warningWords({ warnings }: Pick<ImportReport, 'warnings'>): string | null {
  if (!warnings) return null;
  const { line, problem } = warnings.first;
  const rows = counted(warnings.rows, 'row has', 'rows have');
  return `${rows} a warning. The first is at line ${line}: ${problem}`;
}

export function timeWords(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

export function sizeWords(bytes: number): string {
  if (bytes < 1024) return counted(bytes, 'byte');
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${Math.ceil(kilobytes)} kB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

/**
 * Says what a second import of the same file does. `isNumbered`: the database numbers the rows, so it does not
 * recognise a row that it has stored.
 */
export function againWords(isNumbered: boolean, existing: ImportRunBody['existing']): string {
  return isNumbered
    ? 'Check which rows are stored before you import the file again. A second import would add those rows again.'
    : continueWords[existing];
}

const continueWords = {
  skip: 'Import the same file again to continue: rows that are already stored do not change.',
  replace: 'Import the same file again to continue: rows that are already stored are replaced again.',
  // A second import would stop at the first row that the first import stored.
  stop: 'Import the same file again with “Leave them alone” to continue: rows that are already stored do not change.',
};

/** A warning if a retry may store some rows twice; otherwise null. */
export function doubledWords({ unknown }: Pick<ImportReport, 'unknown'>, isNumbered: boolean): string | null {
  if (unknown === 0 || !isNumbered) return null;
  const rows = counted(unknown, 'row was', 'rows were');
  return `${rows} sent without an answer and may be stored. Trying again would then add ${unknown === 1 ? 'it' : 'them'} a second time.`;
}

/**
 * Whether Trestle added the column to a file of failed rows. Such a column is no data. It has a number if the table has
 * a column with the same name.
 */
export function isReportColumn(name: string): boolean {
  return /^trestle_(line|error|id)(_\d+)?$/.test(name);
}

/** Says which id a row gets if it has no id in the file. */
export function missingIdWords(key: string, columns: string[]): string {
  const id = columns.find((name) => /^trestle_id(_\d+)?$/.test(name));
  return id !== undefined
    ? `A row without ${key} gets the ${key} of its first import (${id}), so no row is stored twice.`
    : `A row without ${key} gets one derived from the file and the row’s position, so a second import adds no row twice.`;
}
