import { compareCodePoints, type Filter, type FilterScalar, parseCell, splitList } from '../index.ts';
import type { Cell, ColumnType } from '../values.ts';

/**
 * Whether a cell matches a filter. NULL matches only `is_null`. Text is compared exactly and by code point. `contains`,
 * `not_contains`, `starts_with` and `ends_with` ignore the case of A–Z. `between` includes both bounds.
 */
export function matches(filter: Filter, cell: Cell, type: ColumnType): boolean {
  if (filter.operator === 'is_null') return cell === null;
  if (cell === null) return false;
  const scalars = scalarsOf(filter);
  const one = scalars[0] ?? '';
  switch (filter.operator) {
    case 'is_not_null':
      return true;
    case 'is_empty':
      return sizeOf(cell) === 0;
    case 'is_not_empty':
      return sizeOf(cell) !== 0;
    case 'equals':
    case 'in_list':
      return scalars.some((scalar) => operands(scalar, type).some((value) => same(cell, value)));
    case 'not_equals':
    case 'not_in_list':
      return !scalars.some((scalar) => operands(scalar, type).some((value) => same(cell, value)));
    case 'greater_than':
      return ordered(cell, one, type, (order) => order > 0);
    case 'greater_or_equal':
      return ordered(cell, one, type, (order) => order >= 0);
    case 'less_than':
      return ordered(cell, one, type, (order) => order < 0);
    case 'less_or_equal':
      return ordered(cell, one, type, (order) => order <= 0);
    case 'between':
      return (
        ordered(cell, one, type, (order) => order >= 0) &&
        ordered(cell, scalars[1] ?? '', type, (order) => order <= 0)
      );
    case 'contains':
      return textOf(cell)?.includes(asciiLower(String(one))) ?? false;
    case 'not_contains':
      return !(textOf(cell)?.includes(asciiLower(String(one))) ?? false);
    case 'starts_with':
      return textOf(cell)?.startsWith(asciiLower(String(one))) ?? false;
    case 'ends_with':
      return textOf(cell)?.endsWith(asciiLower(String(one))) ?? false;
    case 'regex':
      return !(cell instanceof Uint8Array) && new RegExp(String(one), 'u').test(String(cell));
  }
}

/** Negative, zero or positive. Undefined if the two cells cannot be ordered. */
export function compareCells(a: Cell, b: Cell): number | undefined {
  if (isNumeric(a) && isNumeric(b)) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return undefined;
}

function scalarsOf({ operator, value }: Filter): FilterScalar[] {
  if (Array.isArray(value)) return value;
  if (value === undefined) return [];
  return operator.endsWith('in_list') && typeof value === 'string' ? splitList(value) : [value];
}

/** In a column of type `any`, a text like `5` or `true` is compared as a number or boolean and also as a text. */
function operands(scalar: FilterScalar, type: ColumnType): Cell[] {
  // `String(1e21)` is not written as a whole number.
  const isWhole = type === 'int' && typeof scalar === 'number' && Number.isInteger(scalar);
  const parsed = parseCell(String(isWhole ? BigInt(scalar) : scalar), type);
  if (!parsed.ok) throw new Error(`The contract chose a value that does not fit: ${parsed.problem}`);
  if (type !== 'any') return [parsed.cell];
  const booleans = [true, false].filter((one) => String(one) === String(scalar));
  return [parsed.cell, ...(typeof scalar === 'string' ? [scalar] : []), ...booleans];
}

function ordered(
  cell: Cell,
  scalar: FilterScalar,
  type: ColumnType,
  test: (order: number) => boolean,
): boolean {
  return operands(scalar, type).some((value) => {
    const order = compareCells(cell, value);
    return order !== undefined && test(order);
  });
}

function same(a: Cell, b: Cell): boolean {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.from(a).equals(b);
  return compareCells(a, b) === 0;
}

function sizeOf(cell: Cell): number | undefined {
  if (typeof cell === 'string' || cell instanceof Uint8Array || Array.isArray(cell)) return cell.length;
  return undefined;
}

function textOf(cell: Cell): string | undefined {
  return cell instanceof Uint8Array ? undefined : asciiLower(String(cell));
}

function isNumeric(value: Cell): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
