import {
  DriverError,
  type Filter,
  type FilterScalar,
  isPlainDate,
  parseCell,
  splitList,
} from '@trestle/driver-kit';
import type { GridColumn } from './columns.ts';
import type { ClauseValue } from './requests/model/where.ts';

/** A filter's value with the type of the column. */
export function clauseValue(column: GridColumn, value: FilterScalar): ClauseValue {
  return { type: valueType(column), value: typedValue(column, value) } as ClauseValue;
}

export function clauseList(column: GridColumn, filter: Filter): ClauseValue {
  const list = listOf(column, filter).map((value) => typedValue(column, value));
  return { type: valueType(column), value: list } as ClauseValue;
}

export function scalarOf(column: GridColumn, filter: Filter): FilterScalar {
  const { value } = filter;
  if (value === undefined || Array.isArray(value)) throw unrunnable(column, 'it takes one value');
  return value;
}

export function boundsOf(column: GridColumn, filter: Filter): [FilterScalar, FilterScalar] {
  const value = typeof filter.value === 'string' ? splitOrRefuse(column, filter.value) : filter.value;
  if (!Array.isArray(value) || value.length !== 2) throw unrunnable(column, 'between takes two bounds');
  return [value[0] as FilterScalar, value[1] as FilterScalar];
}

export function listOf(column: GridColumn, filter: Filter): FilterScalar[] {
  const { value } = filter;
  const list = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? splitOrRefuse(column, value)
      : value === undefined
        ? []
        : [value];
  if (list.length === 0) throw unrunnable(column, 'the list is empty');
  return list;
}

/** For a date without a time in a date column: the start of that day and the start of the next day. Null otherwise. */
export function dayOf(column: GridColumn, value: FilterScalar): { from: string; to: string } | null {
  const text = String(value).trim();
  if (elementType(column) !== 'date' || column.type !== 'date' || !isPlainDate(text)) return null;
  const parsed = parseCell(text, 'date');
  if (!parsed.ok) throw unrunnable(column, parsed.problem);
  const next = new Date(Date.parse(String(parsed.cell)) + 24 * 60 * 60_000);
  return { from: String(parsed.cell), to: `${next.toISOString().slice(0, 19)}Z` };
}

export function unrunnable(column: GridColumn, reason: string): DriverError {
  return new DriverError({ code: 'filter_unrunnable', message: `Filter on ${column.name}: ${reason}` });
}

function splitOrRefuse(column: GridColumn, text: string): string[] {
  try {
    return splitList(text);
  } catch (error) {
    throw unrunnable(column, error instanceof Error ? error.message : String(error));
  }
}

function elementType(column: GridColumn): string {
  return column.source.kind === 'property' ? column.source.property.elementType : 'uuid';
}

function valueType(column: GridColumn): Exclude<ClauseValue['type'], 'geo'> {
  const type = elementType(column);
  switch (type) {
    case 'int':
    case 'number':
    case 'boolean':
    case 'date':
      return type;
    default:
      return 'text';
  }
}

/** A bad number in a list would silently become 0 on the server, so numbers are parsed here first. */
function typedValue(column: GridColumn, value: FilterScalar): string | number | bigint | boolean {
  const type = elementType(column);
  const text = String(value);
  switch (type) {
    case 'int': {
      const parsed = parseCell(text, 'int');
      if (!parsed.ok) throw unrunnable(column, parsed.problem);
      const exact = BigInt(parsed.cell as number | bigint);
      if (exact < -(2n ** 63n) || exact >= 2n ** 63n)
        throw unrunnable(column, 'the number does not fit 64 bits');
      return exact;
    }
    case 'date': {
      const parsed = parseCell(text, 'date');
      if (!parsed.ok) throw unrunnable(column, parsed.problem);
      // The server compares int64 nanoseconds since 1970. A date outside the range of int64 wraps round and matches the
      // wrong rows.
      const date = String(parsed.cell).toUpperCase();
      if (BigInt.asIntN(64, nanosecondsOf(date)) !== nanosecondsOf(date))
        throw unrunnable(
          column,
          'Weaviate compares dates from 1677-09-21T00:12:43.145224192Z to 2262-04-11T23:47:16.854775807Z only',
        );
      return date;
    }
    case 'number':
    case 'boolean':
    case 'uuid': {
      const parsed = parseCell(text, type);
      if (!parsed.ok) throw unrunnable(column, parsed.problem);
      return parsed.cell as number | boolean | string;
    }
    default:
      return text;
  }
}

/** `Date` has milliseconds only, so the fraction is read separately. */
function nanosecondsOf(date: string): bigint {
  const [, fraction = ''] = /\.(\d+)/.exec(date) ?? [];
  const whole = Date.parse(date.replace(/\.\d+/, ''));
  return BigInt(whole) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}
