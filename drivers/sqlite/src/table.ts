import {
  type ColumnDescription,
  type ColumnHead,
  DriverError,
  suggestName,
  type TableDescription,
} from '@trestle/driver-kit';

/** A table's description, and the facts that the driver needs to build statements. */
export interface Table {
  description: TableDescription;
  /** The name of the rowid. Null if there is none or columns hide it. */
  rowid: string | null;
  /** The columns of PRIMARY KEY. The description's key is the rowid instead while a row has NULL in them. */
  declaredKey: string[];
  keyMayBeNull: boolean;
  /** The columns that break ties in a sort: the rowid, else the key, else all columns. */
  tiebreak: string[];
  virtual: boolean;
  strict: boolean;
  /** Whether a constraint has its own ON CONFLICT, which could replace another row or drop a new one. */
  resolvesConflicts: boolean;
}

/** SQLite ignores the case of A–Z in names. */
export function findColumn(table: Table, name: string): ColumnDescription | undefined {
  const { columns } = table.description;
  const lower = asciiLower(name);
  return (
    columns.find((column) => column.name === name) ??
    columns.find((column) => asciiLower(column.name) === lower)
  );
}

/** Whether the column keeps 5 and 5.0 apart. The other columns convert one to the other. */
export function keepsApart({ description, virtual }: Table, { type }: ColumnHead): boolean {
  return virtual || (description.mixed === true && (type === 'any' || type === 'bytes'));
}

export function requireColumn(table: Table, name: string): ColumnDescription {
  const column = findColumn(table, name);
  if (column) return column;
  throw new DriverError({
    code: 'invalid_argument',
    message: `${table.description.name} has no column "${name}"`,
    hint: suggestName(
      name,
      table.description.columns.filter((known) => !known.hidden).map((known) => known.name),
    ),
  });
}

export function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
