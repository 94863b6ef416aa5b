import { AppError, byColumnName, own } from '@trestle/core';
import type { Cell, Change, ColumnDescription, Json, RowKey } from '@trestle/driver-kit';
import { parseCell, suggestName } from '@trestle/driver-kit';

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

type Columns = Map<string, ColumnDescription>;

export function toChanges(wanted: WantedChanges, columns: Columns): Change[] {
  if ('insert' in wanted)
    return wanted.insert.map((values, index) => ({
      kind: 'insert',
      id: String(index),
      values: toCells(values, columns, `rows[${index}]`),
    }));
  if ('delete' in wanted)
    return wanted.delete.map((key, index) => ({
      kind: 'delete',
      id: String(index),
      key: toKey(key, columns, `keys[${index}]`),
    }));
  return wanted.update.map(({ key, values, expected }, index) => {
    const where = `changes[${index}]`;
    const cells = toCells(values, columns, where);
    const seen = expected && { expected: toCells(expected, columns, `${where}.expected`) };
    return { kind: 'update', id: String(index), key: toKey(key, columns, where), values: cells, ...seen };
  });
}

/** Null if a value is missing: the driver skips and logs such a row, and continues with the other rows. */
function toKey(key: PlainCells, columns: Columns, where: string): RowKey | null {
  const keyColumns = [...columns.values()].filter((column) => column.inKey).map((column) => column.name);
  if (keyColumns.length > 0 && Object.keys(key).every((name) => keyColumns.includes(name))) {
    const cells = toCells(key, columns, where);
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

function toCells(values: PlainCells, columns: Columns, where: string): Record<string, Cell> {
  const entries = Object.entries(values).map(([name, value]) => {
    const column = columns.get(name);
    if (column) return [name, toCell(value, column, where)] as const;
    throw new AppError({
      code: 'invalid_argument',
      message: `${where}: there is no column "${name}"`,
      hint: suggestName(name, [...columns.keys()]),
    });
  });
  return Object.fromEntries(entries);
}

/** Clients send bytes, dates and large integers as text, in the same form as in answers. */
function toCell(value: unknown, column: ColumnDescription, where: string): Cell {
  // As a key, a rounded number may name another row.
  if ((column.type === 'int' || column.inKey) && isRounded(value)) {
    throw new AppError({
      code: 'invalid_argument',
      message: `${where}.${column.name}: a number beyond 2^53 may have been rounded`,
      hint: own`Send it as text.`,
    });
  }
  if (typeof value !== 'string' || !textForms.has(column.type)) return value as Json;
  const parsed = parseCell(value, column.type);
  if (parsed.ok) return parsed.cell;
  throw new AppError({ code: 'invalid_argument', message: `${where}.${column.name}: ${parsed.problem}` });
}

/** Whether the number is an integer that JSON.parse may have rounded. */
export function isRounded(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

const textForms = new Set<ColumnDescription['type']>(['bytes', 'int', 'date']);
