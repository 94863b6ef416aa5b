import {
  type ColumnDescription,
  DriverError,
  type Filter,
  type FilterScalar,
  parseCell,
  splitList,
} from '@trestle/driver-kit';
import { type Stored, toStored } from './values.ts';

/** The stored values that a filter's value may mean. There may be two if the column's type is `any`. */
export type Operand = [Stored, ...Stored[]];

export function oneOperand(column: ColumnDescription, filter: Filter): Operand {
  return readOperand(column, filter, oneScalar(filter));
}

export function listOperands(column: ColumnDescription, filter: Filter): Operand[] {
  const scalars = listScalars(filter);
  if (scalars.length === 0) throw unrunnable(filter, 'the list is empty', 'a, b, "c, d"');
  // SQLite binds at most 32,766 values, and other filters need some.
  if (scalars.length > 10_000) throw unrunnable(filter, 'the list has more than 10,000 values');
  return scalars.map((scalar) => readOperand(column, filter, scalar));
}

export function bounds(column: ColumnDescription, filter: Filter): [Operand, Operand] {
  const { value } = filter;
  if (!Array.isArray(value) || value.length !== 2) throw unrunnable(filter, 'it takes two values', '[1, 10]');
  return [readOperand(column, filter, value[0]!), readOperand(column, filter, value[1]!)];
}

/** The text or regular expression to find in a value. It stays text, whatever the column's type is. */
export function needle(filter: Filter): string {
  const text = String(oneScalar(filter));
  if (text === '') throw unrunnable(filter, 'there is no text to look for');
  return text;
}

export function unrunnable(filter: Filter, reason: string, expected?: string): DriverError {
  return new DriverError({
    code: 'filter_unrunnable',
    message: `The filter on ${filter.column} (${filter.operator.replaceAll('_', ' ')}) cannot run: ${reason}`,
    ...(expected !== undefined && { hint: `Expected a value such as ${expected}` }),
  });
}

function oneScalar(filter: Filter): FilterScalar {
  const { value } = filter;
  if (value === undefined || value === null || Array.isArray(value))
    throw unrunnable(filter, 'it takes one value');
  return value;
}

function listScalars(filter: Filter): FilterScalar[] {
  const { value } = filter;
  if (Array.isArray(value)) return value;
  if (value === undefined || value === null) throw unrunnable(filter, 'it takes a list', 'a, b, "c, d"');
  try {
    return typeof value === 'string' ? splitList(value) : [value];
  } catch (error) {
    throw unrunnable(filter, error instanceof Error ? error.message : String(error));
  }
}

function readOperand(column: ColumnDescription, filter: Filter, scalar: FilterScalar): Operand {
  if (typeof scalar === 'object' || scalar === undefined) throw unrunnable(filter, 'a value is not a scalar');
  if (column.type === 'any') return anyOperand(filter, scalar);
  // SQLite has no booleans: it stores true as 1 and false as 0.
  const text =
    column.type === 'int' && /^(true|false)$/i.test(String(scalar))
      ? String(Number(/^true$/i.test(String(scalar))))
      : typeof scalar === 'number' && column.type === 'int'
        ? plainInteger(scalar)
        : String(scalar);
  const parsed = parseCell(text, column.type);
  if (!parsed.ok) throw unrunnable(filter, `${JSON.stringify(scalar)} does not fit. ${parsed.problem}`);
  return [stored(filter, parsed.cell)];
}

/** A text that looks like a number may mean the text or the number. The type of each row's stored value decides. */
function anyOperand(filter: Filter, scalar: FilterScalar): Operand {
  if (typeof scalar !== 'string') return [stored(filter, scalar)];
  const parsed = parseCell(scalar, 'any');
  return parsed.ok && typeof parsed.cell !== 'string' ? [stored(filter, parsed.cell), scalar] : [scalar];
}

function stored(filter: Filter, cell: Parameters<typeof toStored>[0]): Stored {
  try {
    return toStored(cell);
  } catch (error) {
    throw unrunnable(filter, error instanceof Error ? error.message : String(error));
  }
}

/** String(1e21) has an exponent, which `parseCell` does not accept in a whole number. */
function plainInteger(value: number): string {
  return Number.isInteger(value) ? String(BigInt(value)) : String(value);
}
