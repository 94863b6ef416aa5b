import type { Cell, ColumnDescription } from '@trestle/driver-kit';
import { derivedId } from './derived-id.ts';
import { fitJsonValue, fitText } from './fit-cell.ts';
import type { ImportPlan } from './plan-import.ts';
import type { SourceRow } from './source-row.ts';
import type { ImportFile } from './survey-file.ts';

export type FittedRow =
  | { ok: true; values: Record<string, Cell>; derivedId?: string }
  | {
      ok: false;
      problem: string;
      derivedId?: string;
      /** The problem of each column whose value does not fit, by the file's column name. */
      columns?: Map<string, string>;
    };

/** Converts a row of the file to the values of a new row, or returns the reason why the file's row does not fit. */
export function fitRow(
  row: SourceRow,
  { table, columns, missingId, report }: ImportPlan,
  file: Pick<ImportFile, 'format' | 'digest'>,
): FittedRow {
  const fit = file.format === 'csv' ? fitText : fitJsonValue;
  if (row.problem !== undefined) return { ok: false, problem: row.problem };
  // Has no prototype. Otherwise a missing id column named `constructor` would seem to have a value.
  const values: Record<string, Cell> = Object.create(null);
  const problems: string[] = [];
  const wrong = new Set<string>();
  const wrongColumns = new Map<string, string>();
  for (const [name, column] of columns) {
    const value = row.values.get(name);
    // NULL is a value, so the database refuses it for a column that does not allow NULL. In the key it is a missing id.
    if (value === undefined || (value === null && table.key.includes(column.name))) continue;
    const fitted = fit(value, { type: column.type, isApart: isApart(table, column) });
    if (fitted.ok) values[column.name] = fitted.cell;
    else {
      wrong.add(column.name);
      wrongColumns.set(name, fitted.problem);
      problems.push(`${column.name}: ${fitted.problem}`);
    }
  }
  // The user must fix a wrong id. The import does not replace it with a derived id.
  const isMissing = (name: string) => {
    const cell = values[name];
    // An empty text is a value, but no uuid.
    return cell === undefined || cell === null || (cell === '' && isUuid(table, name));
  };
  const missing = table.key.filter((name) => !wrong.has(name) && isMissing(name));
  const id = missing.length > 0 && missingId === 'derived' ? idOf(row, report.id, file.digest) : undefined;
  if (id !== undefined) values[table.key[0]!] = id;
  else if (missing.length > 0 && missingId === null)
    problems.unshift(`${missing.join(', ')}: the row has no id`);
  const derived = id !== undefined && { derivedId: id };
  if (problems.length > 0)
    return { ok: false, problem: problems.join('; '), columns: wrongColumns, ...derived };
  return { ok: true, values, ...derived };
}

/** Whether the column keeps 5 and 5.0 apart. */
export function isApart({ mixed }: Pick<ImportPlan['table'], 'mixed'>, { type }: ColumnDescription): boolean {
  return mixed === true && (type === 'any' || type === 'bytes');
}

function isUuid({ columns }: ImportPlan['table'], name: string): boolean {
  return columns.some((column) => column.name === name && column.type === 'uuid');
}

/** The id of the row in a report of failed rows. Otherwise an id from the file and row number. */
function idOf(row: SourceRow, reportColumn: string, digest: string): string {
  const kept = row.values.get(reportColumn);
  return typeof kept === 'string' && kept !== '' ? kept : derivedId(digest, row.ordinal);
}
