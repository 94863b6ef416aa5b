import { type ColumnDescription, suggestName, type TableDescription } from '@trestle/driver-kit';
import { AppError } from '../errors.ts';

/** The columns that a report of failed rows has in addition to those of the imported file. */
export type ReportColumns = Record<'line' | 'error' | 'id', string>;

/** The table may have columns with these names too. The columns of the report then get a number. */
export function reportColumnsOf({ columns }: Pick<TableDescription, 'columns'>): ReportColumns {
  const taken = new Set(columns.map(({ name }) => name));
  const free = (name: string) => {
    if (!taken.has(name)) return name;
    let number = 2;
    while (taken.has(`${name}_${number}`)) number++;
    return `${name}_${number}`;
  };
  return { line: free('trestle_line'), error: free('trestle_error'), id: free('trestle_id') };
}

export interface ImportPlan {
  table: TableDescription;
  /** Maps the file's columns to the table's columns. Has no entry for a column that is left out. */
  columns: Map<string, ColumnDescription>;
  /**
   * The source of an id for a row without one: derived from file and row, or from the database. Null: the row is
   * refused.
   */
  missingId: 'derived' | 'database' | null;
  report: ReportColumns;
}

export interface PlanOptions {
  /** Maps the file's columns to the table's columns. Null leaves a column out. */
  map?: Record<string, string | null>;
  /** Lets the database number rows without a given or derived id. A second import adds these rows again. */
  newIds?: boolean;
}

/**
 * Maps the columns of the file to columns of the table. Throws if a column has no target and is not left out. Throws
 * also if a second import would duplicate rows, unless `newIds` is set.
 */
export function planImport(names: string[], table: TableDescription, options: PlanOptions = {}): ImportPlan {
  const refusal = table.readOnly?.insert;
  if (refusal) throw unfit(`${table.name} takes no new rows. ${refusal}`);
  const { newIds = false } = options;
  const map = Object.fromEntries(
    Object.entries(options.map ?? {}).map(([name, target]) => [columnOfFile(name, names), target]),
  );
  const columns = new Map<string, ColumnDescription>();
  const report = reportColumnsOf(table);
  const ofReport = Object.values(report);
  for (const name of names) {
    if (!Object.hasOwn(map, name) && ofReport.includes(name)) continue;
    const target = Object.hasOwn(map, name) ? map[name]! : suggestColumn(name, names, table);
    if (target === null) continue;
    columns.set(name, requireColumn(name, target, table));
  }
  assertDistinct(columns);
  if (columns.size === 0) throw unfit(`No column of the file goes into ${table.name}`);
  return { table, columns, missingId: missingIdOf(table, columns, newIds), report };
}

/**
 * A suggested target for each column of the file. Null if no writable column matches, or the match is already used.
 * Null also for the columns of a report.
 */
export function suggestMap(names: string[], table: TableDescription): Record<string, string | null> {
  const taken = new Set<string>();
  const ofReport = Object.values(reportColumnsOf(table));
  const entries = names.map((name): [string, string | null] => {
    if (ofReport.includes(name)) return [name, null];
    const target = suggestColumn(name, names, table);
    const column = table.columns.find((one) => one.name === target);
    if (!column || !isWritable(column) || taken.has(target)) return [name, null];
    taken.add(target);
    return [name, target];
  });
  return Object.fromEntries(entries);
}

/**
 * The table's column of the same name, or the only one that differs only in upper and lower case. A file's `id` or
 * `_id` also matches a key that is one uuid column, unless another column of the file has the name of the key. Returns
 * `name` if nothing matches.
 */
function suggestColumn(given: string, names: string[], { columns, key }: TableDescription): string {
  // A file may have a space after each comma. But a column may also be called " lead".
  const name = columns.some((column) => column.name === given) ? given : given.trim();
  const exact = columns.find((column) => column.name === name);
  if (exact) return exact.name;
  const similar = columns.filter((column) => column.name.toLowerCase() === name.toLowerCase());
  if (similar.length === 1) return similar[0]!.name;
  const id = key.length === 1 ? columns.find((column) => column.name === key[0]) : undefined;
  const isTaken = names.some((other) => other.toLowerCase() === id?.name.toLowerCase());
  return id?.type === 'uuid' && !isTaken && /^_?id$/i.test(name) ? id.name : name;
}

/** A name may leave out the spaces around the column's name in the file. */
function columnOfFile(name: string, names: string[]): string {
  const found = names.includes(name) ? name : names.find((one) => one.trim() === name.trim());
  if (found === undefined) throw unfit(`The file has no column "${name}"`, suggestName(name, names));
  return found;
}

function requireColumn(from: string, target: string, table: TableDescription): ColumnDescription {
  const column = table.columns.find(({ name }) => name === target);
  const leaveOut = `Name another column with --map "${from}=COLUMN", or leave "${from}" out with --map "${from}=".`;
  if (!column) {
    const names = table.columns.filter((one) => isWritable(one)).map(({ name }) => name);
    throw unfit(
      `${table.name} has no column "${target}" for the column "${from}" of the file`,
      `${suggestName(target, names)} ${leaveOut}`,
    );
  }
  if (!isWritable(column)) throw unfit(`${target} cannot be written: ${column.readOnly}`, leaveOut);
  return column;
}

function assertDistinct(columns: Map<string, ColumnDescription>): void {
  const from = new Map<string, string>();
  for (const [name, column] of columns) {
    const other = from.get(column.name);
    if (other !== undefined) {
      throw unfit(
        `Both "${other}" and "${name}" of the file go into ${column.name}`,
        `Leave one out with --map "${name}=".`,
      );
    }
    from.set(column.name, name);
  }
}

function missingIdOf(
  table: TableDescription,
  columns: Map<string, ColumnDescription>,
  newIds: boolean,
): ImportPlan['missingId'] {
  const mapped = new Set(Array.from(columns.values(), ({ name }) => name));
  const key = table.columns.filter(({ name }) => table.key.includes(name));
  const [only] = key;
  if (key.length === 1 && isWritable(only!) && (only!.type === 'uuid' || only!.type === 'text'))
    return 'derived';
  // The database numbers a column that cannot be empty. It would store NULL in any other.
  const isNumbered = key.every(({ nullable }) => !nullable);
  if (newIds && isNumbered) return 'database';
  if (key.length > 0 && key.every(({ name }) => mapped.has(name))) return null;
  const missing = key.filter((column) => !mapped.has(column.name) && isWritable(column));
  const name = missing[0] && `Name the column with --map "COLUMN=${missing[0].name}"`;
  const remedy = !isNumbered
    ? `${name}.`
    : `${name ? `${name}, or let` : 'Let'} the database number new rows with --new-ids.`;
  throw unfit(
    missing.length > 0
      ? `The file has no column for ${missing.map((column) => column.name).join(', ')}, the id of a row in ${table.name}`
      : `The rows of ${table.name} have no id that a file could give`,
    `Without ids, a second import would add every row again. ${remedy}`,
  );
}

export function isWritable({ readOnly, insertable }: ColumnDescription): boolean {
  return readOnly === undefined || insertable === true;
}

function unfit(message: string, hint?: string): AppError {
  return new AppError({ code: 'invalid_argument', message, ...(hint !== undefined && { hint }) });
}
