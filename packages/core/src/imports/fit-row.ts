import type { Cell } from '@trestle/driver-kit';
import { derivedId } from './derived-id.ts';
import { fitJsonValue, fitText } from './fit-cell.ts';
import { type ImportPlan, reportColumns } from './plan-import.ts';
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
  { table, columns, missingId }: ImportPlan,
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
    // A column that does not allow NULL gets its default instead of NULL. If the column has no default, the
    // database reports an error.
    if (value === undefined || (value === null && !column.nullable)) continue;
    const fitted = fit(value, column.type);
    if (fitted.ok) values[column.name] = fitted.cell;
    else {
      wrong.add(column.name);
      wrongColumns.set(name, fitted.problem);
      problems.push(`${column.name}: ${fitted.problem}`);
    }
  }
  // The user must fix a wrong id. The import does not replace it with a derived id.
  const missing = table.key.filter((name) => !wrong.has(name) && isMissing(values[name]));
  const id = missing.length > 0 && missingId === 'derived' ? idOf(row, file.digest) : undefined;
  if (id !== undefined) values[table.key[0]!] = id;
  else if (missing.length > 0 && missingId === null)
    problems.unshift(`${missing.join(', ')}: the row has no id`);
  const derived = id !== undefined && { derivedId: id };
  if (problems.length > 0)
    return { ok: false, problem: problems.join('; '), columns: wrongColumns, ...derived };
  return { ok: true, values, ...derived };
}

function isMissing(cell: Cell | undefined): boolean {
  return cell === undefined || cell === null || cell === '';
}

/** The row's `trestle_id`, which a report of failed rows may contain. Otherwise an id from the file and row number. */
function idOf(row: SourceRow, digest: string): string {
  const kept = row.values.get(reportColumns.id);
  return typeof kept === 'string' && kept !== '' ? kept : derivedId(digest, row.ordinal);
}
