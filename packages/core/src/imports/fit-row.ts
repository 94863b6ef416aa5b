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
      /** What is wrong with single columns, by the column of the file. */
      columns?: Map<string, string>;
    };

/** A row of the file as the values of a new row, or the reason why it does not fit. */
export function fitRow(
  row: SourceRow,
  { table, columns, missingId }: ImportPlan,
  file: Pick<ImportFile, 'format' | 'digest'>,
): FittedRow {
  const fit = file.format === 'csv' ? fitText : fitJsonValue;
  if (row.problem !== undefined) return { ok: false, problem: row.problem };
  const values: Record<string, Cell> = {};
  const problems: string[] = [];
  const wrong = new Set<string>();
  const wrongColumns = new Map<string, string>();
  for (const [name, column] of columns) {
    const value = row.values.get(name);
    // A column that takes no NULL gets its default, or the database says that it has none.
    if (value === undefined || (value === null && !column.nullable)) continue;
    const fitted = fit(value, column.type);
    if (fitted.ok) values[column.name] = fitted.cell;
    else {
      wrong.add(column.name);
      wrongColumns.set(name, fitted.problem);
      problems.push(`${column.name}: ${fitted.problem}`);
    }
  }
  // A wrong id is to be mended, and not to be replaced by another.
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

/** A report keeps the id that a row had in its first file. */
function idOf(row: SourceRow, digest: string): string {
  const kept = row.values.get(reportColumns.id);
  return typeof kept === 'string' && kept !== '' ? kept : derivedId(digest, row.ordinal);
}
