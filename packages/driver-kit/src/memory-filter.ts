import { cellToText, parseCell } from './cell-text.ts';
import { DriverError } from './errors.ts';
import {
  type Filter,
  type FilterOperator,
  type FilterScalar,
  filterOperators,
  operatorArity,
  splitList,
} from './filter.ts';
import type { Cell, ColumnHead, ColumnType } from './values.ts';

/**
 * The filter rules for a driver that holds its rows in memory. NULL matches only `is_null`. Text is compared exactly
 * and by code point. Contains, starts with and ends with ignore the case of A–Z. `between` includes both bounds.
 */

/** The given operators. Those that a column of this type does not support have a `refusal`: the reason. */
export function memoryOperators(
  type: ColumnType,
  /** The manifest's operators. In an imported manifest.json, TypeScript knows them only as `string`. */
  operators: readonly string[],
): { operator: FilterOperator; refusal?: string }[] {
  const known = filterOperators.filter((operator) => operators.includes(operator));
  return known.map((operator) => {
    const refusal = refusalOf(operator, type);
    return refusal === undefined ? { operator } : { operator, refusal };
  });
}

/** A test for one cell of the column. Throws `filter_unrunnable` if the filter cannot run. */
export function memoryFilter(filter: Filter, column: ColumnHead): (cell: Cell) => boolean {
  const refusal = refusalOf(filter.operator, column.type);
  if (refusal !== undefined) throw unrunnable(filter, refusal);
  const scalars = scalarsOf(filter);
  if (filter.operator === 'regex') {
    const pattern = expression(filter, String(scalars[0]));
    return (cell) => {
      const text = textOf(cell);
      return text !== undefined && pattern.test(text);
    };
  }
  const values = isTextual(filter.operator)
    ? scalars.map((scalar) => [asciiLower(String(scalar))])
    : scalars.map((scalar) => operands(filter, scalar, column.type));
  return (cell) => passes(filter.operator, comparable(cell, column.type), values);
}

function passes(operator: FilterOperator, cell: Cell, values: Cell[][]): boolean {
  if (operator === 'is_null') return cell === null;
  if (cell === null) return false;
  const [first = [], second = []] = values;
  const compares = (candidates: Cell[], fits: (order: number) => boolean) =>
    candidates.some((value) => {
      const order = compareCells(cell, value);
      return order !== undefined && fits(order);
    });
  const isAmong = () => values.flat().some((value) => compareCells(cell, value) === 0);
  const shown = isTextual(operator) ? textOf(cell) : undefined;
  const text = shown === undefined ? undefined : asciiLower(shown);
  const needle = String(first[0]);
  switch (operator) {
    case 'equals':
    case 'in_list':
      return isAmong();
    case 'not_equals':
    case 'not_in_list':
      return !isAmong();
    case 'greater_than':
      return compares(first, (order) => order > 0);
    case 'greater_or_equal':
      return compares(first, (order) => order >= 0);
    case 'less_than':
      return compares(first, (order) => order < 0);
    case 'less_or_equal':
      return compares(first, (order) => order <= 0);
    case 'between':
      return compares(first, (order) => order >= 0) && compares(second, (order) => order <= 0);
    case 'contains':
      return text?.includes(needle) ?? false;
    case 'not_contains':
      return !(text?.includes(needle) ?? false);
    case 'starts_with':
      return text?.startsWith(needle) ?? false;
    case 'ends_with':
      return text?.endsWith(needle) ?? false;
    case 'is_empty':
      return isEmpty(cell);
    case 'is_not_empty':
      return !isEmpty(cell);
    default:
      return true;
  }
}

/**
 * A value for `compareCells`. Two texts of the same date may differ in offset or precision. Two texts of the same uuid
 * may differ in case.
 */
export function comparable(cell: Cell, type: ColumnType): Cell {
  if (typeof cell !== 'string' || (type !== 'date' && type !== 'uuid')) return cell;
  const parsed = parseCell(cell, type);
  if (!parsed.ok) return cell;
  return type === 'date' ? nanoseconds(String(parsed.cell)) : parsed.cell;
}

function nanoseconds(date: string): bigint {
  const [, fraction = ''] = /\.(\d+)/.exec(date) ?? [];
  const seconds = Date.parse(date.replace(/\.\d+/, ''));
  return BigInt(seconds) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}

/** Negative, zero or positive. Undefined if the cells cannot be ordered. */
export function compareCells(a: Cell, b: Cell): number | undefined {
  // NaN is neither below, above nor equal to any number.
  if (isNumeric(a) && isNumeric(b)) return a < b ? -1 : a > b ? 1 : a <= b ? 0 : undefined;
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  return undefined;
}

/** JavaScript compares UTF-16 units, which sorts 🪐 before U+FF01. */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  let at = 0;
  while (at < shared && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === shared) return a.length - b.length;
  // If the texts differ in the second unit of a surrogate pair, their code points begin one unit before.
  const before = at === 0 ? 0 : a.codePointAt(at - 1)! - b.codePointAt(at - 1)!;
  return before || a.codePointAt(at)! - b.codePointAt(at)!;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    if (a[index] !== b[index]) return a[index]! - b[index]!;
  }
  return a.length - b.length;
}

function refusalOf(operator: FilterOperator, type: ColumnType): string | undefined {
  if (operator === 'is_null' || operator === 'is_not_null') return undefined;
  if (type === 'json' || type === 'vector') return `A ${type} column can only be tested for NULL`;
  const isText = type === 'text' || type === 'any';
  if ((isTextual(operator) || operator === 'regex' || emptiness.includes(operator)) && !isText) {
    return 'Only text has this operator';
  }
  const isOrdered = type !== 'boolean' && type !== 'uuid' && type !== 'bytes';
  if (ordering.includes(operator) && !isOrdered) return `Values of type ${type} have no order`;
  return undefined;
}

const emptiness: FilterOperator[] = ['is_empty', 'is_not_empty'];
const ordering: FilterOperator[] = [
  'greater_than',
  'greater_or_equal',
  'less_than',
  'less_or_equal',
  'between',
];

function isTextual(operator: FilterOperator): boolean {
  return ['contains', 'not_contains', 'starts_with', 'ends_with'].includes(operator);
}

function scalarsOf(filter: Filter): FilterScalar[] {
  const { operator, value } = filter;
  const arity = operatorArity(operator);
  if (arity === 'none') return [];
  if (value === undefined) throw unrunnable(filter, 'it needs a value');
  if (arity === 'one' && !Array.isArray(value)) return [value];
  if (arity === 'two' && Array.isArray(value) && value.length === 2) return value;
  if (arity === 'list') {
    const list = Array.isArray(value) ? value : split(filter, String(value));
    if (list.length > 0) return list;
  }
  throw unrunnable(filter, wanted[arity]);
}

const wanted = {
  one: 'it takes one value',
  two: 'it takes two bounds',
  list: 'it takes at least one value',
};

function split(filter: Filter, text: string): string[] {
  try {
    return splitList(text);
  } catch (error) {
    throw unrunnable(filter, (error as Error).message);
  }
}

/** In a column of type `any`, a text that reads as a number or boolean is compared as that value and as text. */
function operands(filter: Filter, scalar: FilterScalar, type: ColumnType): Cell[] {
  const text = String(scalar);
  const parsed = parseCell(text, type);
  if (!parsed.ok) throw unrunnable(filter, parsed.problem);
  if (type !== 'any') return [comparable(parsed.cell, type)];
  const boolean = text === 'true' || text === 'false' ? [text === 'true'] : [];
  return [parsed.cell, ...(typeof scalar === 'string' ? [scalar] : []), ...boolean];
}

function expression(filter: Filter, source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch (error) {
    throw unrunnable(filter, (error as Error).message);
  }
}

function unrunnable({ column, operator }: Filter, reason: string): DriverError {
  return new DriverError({
    code: 'filter_unrunnable',
    message: `${column} ${operator.replaceAll('_', ' ')}: ${reason}`,
  });
}

function isNumeric(value: Cell): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** The text that the user sees, for the text operators and `regex`. NULL and bytes have none. */
function textOf(cell: Cell): string | undefined {
  return cell === null || cell instanceof Uint8Array ? undefined : cellToText(cell);
}

function isEmpty(cell: Cell): boolean {
  return (typeof cell === 'string' || cell instanceof Uint8Array || Array.isArray(cell)) && cell.length === 0;
}

function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
