import { AppError, byColumnName, fitJsonValue, isApart, own, readTyped } from '@trestle/core';
import type {
  Cell,
  Change,
  ColumnDescription,
  ColumnType,
  Json,
  RowKey,
  TableDescription,
} from '@trestle/driver-kit';
import { suggestName } from '@trestle/driver-kit';

/** Changes as a client sends them, in plain JSON. `toChanges` converts the values to cells. */
export type WantedChanges =
  | { insert: PlainCells[] }
  | { update: { key: PlainCells; values: PlainCells; expected?: PlainCells | undefined }[] }
  | { delete: PlainCells[] };

type PlainCells = Record<string, unknown>;

/** The maximum number of rows in one call: each row may need its own request or statement. */
export const maxChanges = 1_000;

/** A key or the values of a row, by column name. */
export const cellsArgument = byColumnName<unknown>(() => true);

interface Table {
  columns: Map<string, ColumnDescription>;
  mixed: boolean;
}

/** The changes are exact, as in `ChangeSet`. */
export function toChanges(
  wanted: WantedChanges,
  { columns, mixed = false }: Pick<TableDescription, 'columns' | 'mixed'>,
): Change[] {
  const table = { columns: new Map(columns.map((column) => [column.name, column])), mixed };
  if ('insert' in wanted)
    return wanted.insert.map((values, index) => ({
      kind: 'insert',
      id: String(index),
      values: toCells(values, table, `rows[${index}]`),
    }));
  if ('delete' in wanted)
    return wanted.delete.map((key, index) => ({
      kind: 'delete',
      id: String(index),
      key: toKey(key, table, `keys[${index}]`),
    }));
  return wanted.update.map(({ key, values, expected }, index) => {
    const where = `changes[${index}]`;
    const cells = toCells(values, table, where);
    const seen = expected && { expected: toCells(expected, table, `${where}.expected`) };
    return { kind: 'update', id: String(index), key: toKey(key, table, where), values: cells, ...seen };
  });
}

/** Null if a value is missing: the driver skips and logs such a row, and continues with the other rows. */
function toKey(key: PlainCells, table: Table, where: string): RowKey | null {
  const keyColumns = [...table.columns.values()]
    .filter((column) => column.inKey)
    .map((column) => column.name);
  if (keyColumns.length > 0 && Object.keys(key).every((name) => keyColumns.includes(name))) {
    const cells = toCells(key, table, where);
    return keyColumns.every((name) => Object.hasOwn(cells, name) && cells[name] !== null) ? cells : null;
  }
  throw new AppError({
    code: 'invalid_argument',
    message:
      keyColumns.length > 0
        ? `${where}: a row is identified by exactly ${keyColumns.join(', ')}`
        : `${where}: the rows of this table cannot be told apart`,
    hint: own`If the table has a key, browse_table gives it for each row.`,
  });
}

function toCells(values: PlainCells, table: Table, where: string): Record<string, Cell> {
  const entries = Object.entries(values).map(([name, value]) => {
    const column = table.columns.get(name);
    if (column) return [name, toCell(value, column, { isApart: isApart(table, column), where })] as const;
    throw new AppError({
      code: 'invalid_argument',
      message: `${where}: there is no column "${name}"`,
      hint: suggestName(name, [...table.columns.keys()]),
    });
  });
  return Object.fromEntries(entries);
}

/**
 * A value in the form of a JSON file of an import. Clients send bytes, dates and large integers as text, in the same form
 * as in answers.
 */
function toCell(
  value: unknown,
  column: ColumnDescription,
  { isApart, where }: { isApart: boolean; where: string },
): Cell {
  const { name, type } = column;
  if (typeof value === 'number') assertWhole(value, column, where);
  if (isConverted(value, type)) return value as Json;
  const fitted = fitJsonValue(value as Json, { type, isApart });
  if (fitted.ok) return fitted.cell;
  throw new AppError({ code: 'invalid_argument', message: `${where}.${name}: ${fitted.problem}` });
}

/** The database converts these values or refuses them: SQLite stores true as 1, and 5 in a text column as '5'. */
function isConverted(value: unknown, type: ColumnType): boolean {
  if (typeof value === 'number') return type !== 'any' && type !== 'bytes';
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean';
  return type !== 'any' && type !== 'json' && readTyped(value) === undefined;
}

/** As a key, a rounded number may name another row. */
function assertWhole(value: number, { name, type, inKey }: ColumnDescription, where: string): void {
  if (!Number.isFinite(value)) {
    throw new AppError({ code: 'invalid_argument', message: `${where}.${name}: the number is too large` });
  }
  const mayBeInteger = type === 'int' || inKey || Math.abs(value) < 2 ** 64;
  if (!isRounded(value) || !mayBeInteger || type === 'vector') return;
  throw new AppError({
    code: 'invalid_argument',
    message: `${where}.${name}: a number beyond 2^53 may have been rounded`,
    // In a column of another type, the text would be stored as text.
    hint:
      type === 'int' || type === 'number'
        ? own`Send it as text.`
        : own`Send it as {"$integer": "42"} or {"$real": 42}.`,
  });
}

/** Whether the number is an integer that JSON.parse may have rounded. */
export function isRounded(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}
