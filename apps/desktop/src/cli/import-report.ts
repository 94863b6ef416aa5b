import type { ImportFile, ImportPlan, ImportReport } from '@trestle/core';
import { amount } from '@trestle/driver-kit';

/** The highest number of problems that are listed. */
const shown = 20;

export function problemLines() {
  const first: { line: number; problem: string }[] = [];
  let count = 0;
  return {
    add(line: number, problem: string): void {
      count++;
      if (first.length < shown) first.push({ line, problem });
    },
    list: () => first,
    lines: () => [
      ...first.map(({ line, problem }) => `Line ${line}: ${problem}`),
      ...(count > first.length ? [`… and ${count - first.length} more`] : []),
    ],
  };
}

/** The table's column for each column of the file, with an example of a value. */
export function previewLines(file: ImportFile, { columns, table, missingId }: ImportPlan): string[] {
  const lines = file.columns.map((name) => {
    const column = columns.get(name);
    const value = file.sample.map(({ values }) => values.get(name)).find((one) => one != null);
    const example = value === undefined ? '' : `, such as ${short(value)}`;
    return column ? `  ${name} → ${column.name} (${column.type})${example}` : `  ${name}: left out`;
  });
  const key = table.key.join(', ');
  const id = {
    derived: `  A row without ${key} gets one that is derived from the file.`,
    database: '  The database numbers rows without an id: a second import adds them again.',
  };
  return [
    `${amount(file.rows, 'row')}, ${formats[file.format]}`,
    ...lines,
    ...(missingId ? [id[missingId]] : []),
  ];
}

const formats = { csv: 'CSV', json: 'a JSON array', jsonl: 'JSON lines' };

export function summaryLines(
  report: ImportReport,
  { isDry, table, failedFile, incompleteFile, hasNewIds, replaces }: Told,
): string[] {
  const { rows, stored, replaced, existing, failed, unknown, ended, error, warnings } = report;
  const unsent = rows - stored - replaced - existing - failed - unknown;
  const stoppedLine = error ? [`Stopped: ${error.message}.${error.hint ? ` ${error.hint}` : ''}`] : [];
  const cancelledLine = ended === 'cancelled' ? ['Cancelled.'] : [];
  if (isDry) {
    const fit = `${stored} of ${amount(rows, 'row')} ${rows === 1 ? 'fits' : 'fit'} ${table}`;
    const unchecked = unsent > 0 ? `, ${unsent} ${unsent === 1 ? 'was' : 'were'} not checked` : '';
    return [`${fit}${unchecked}. Nothing was sent.`, ...stoppedLine, ...cancelledLine];
  }
  const parts = [
    `${stored} stored`,
    ...(replaced > 0 ? [`${replaced} replaced`] : []),
    ...(existing > 0 ? [`${existing} ${existing === 1 ? 'exists' : 'exist'} already`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(unknown > 0 ? [`${unknown} sent without an answer`] : []),
    ...(unsent > 0 ? [`${unsent} not sent`] : []),
  ];
  const lines = [`${table}: ${parts.join(', ')} (${amount(rows, 'row')}).`, ...stoppedLine];
  if (warnings) {
    const { line, problem } = warnings.first;
    const have = warnings.rows === 1 ? 'has' : 'have';
    lines.push(`${amount(warnings.rows, 'row')} ${have} a warning. The first is at line ${line}: ${problem}`);
  }
  lines.push(...cancelledLine);
  if (unsent > 0) lines.push(hasNewIds ? addedAgain : againLine(failedFile !== null, replaces));
  if (failedFile && failed > 0)
    lines.push(`The rows that failed are in ${failedFile}. Correct them there and import that file.`);
  if (failedFile && unknown > 0) {
    const advice = hasNewIds
      ? 'Remove the stored rows from that file before you import it. Otherwise they are stored a second time.'
      : `Import that file: ${storedWords(replaces)}.`;
    lines.push(`The rows without an answer are in ${failedFile} and may be stored. ${advice}`);
  }
  if (incompleteFile) lines.push(`${incompleteFile} is incomplete. Delete it before you import again.`);
  return lines;
}

interface Told {
  isDry: boolean;
  table: string;
  /** Null if every row got an answer and none failed, if no file was requested, or if it could not be written. */
  failedFile: string | null;
  /** The file for the failed rows, if not all of them could be written. */
  incompleteFile: string | null;
  hasNewIds: boolean;
  /** Rows whose id exists are replaced. */
  replaces: boolean;
}

function againLine(hasFailedFile: boolean, replaces: boolean): string {
  // A second run refuses a --failed file that already exists.
  const elsewhere = hasFailedFile ? ' with another file for --failed' : '';
  return `Run the same command again${elsewhere} to continue: ${storedWords(replaces)}.`;
}

function storedWords(replaces: boolean): string {
  return replaces ? 'stored rows are replaced again' : 'stored rows do not change';
}

const addedAgain =
  'The same command would store the rows without an id a second time: with --new-ids, the database numbers them.';

function short(value: unknown): string {
  const text =
    typeof value === 'object'
      ? JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one))
      : String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
