import type { ColumnDescription, Filter, Match } from '@trestle/driver-kit';
import { bounds, listOperands, needle, type Operand, oneOperand, unrunnable } from './filter-value.ts';
import { compileRegex } from './regex.ts';
import { type Fragment, identifier, join, sql } from './sql.ts';
import { requireColumn, type Table } from './table.ts';
import type { Stored } from './values.ts';

/** The WHERE clause for the filters. Empty without filters. Every value is bound. */
export function whereClause(table: Table, filters: Filter[], match: Match): Fragment {
  if (filters.length === 0) return sql``;
  const conditions = filters.map((filter) => {
    const column = requireColumn(table, filter.column);
    const support = column.operators.find((entry) => entry.operator === filter.operator);
    if (!support) throw unrunnable(filter, 'there is no such operator');
    if (support.refusal !== undefined) throw unrunnable(filter, support.refusal);
    return sql`(${condition(column, filter)})`;
  });
  return sql` WHERE ${join(conditions, match === 'any' ? ' OR ' : ' AND ')}`;
}

function condition(column: ColumnDescription, filter: Filter): Fragment {
  const name = identifier(column.name);
  switch (filter.operator) {
    case 'equals':
      return isOneOf(name, oneOperand(column, filter));
    case 'not_equals':
      return sql`${name} IS NOT NULL AND NOT (${isOneOf(name, oneOperand(column, filter))})`;
    case 'greater_than':
      return compare(column, '>', oneOperand(column, filter));
    case 'greater_or_equal':
      return compare(column, '>=', oneOperand(column, filter));
    case 'less_than':
      return compare(column, '<', oneOperand(column, filter));
    case 'less_or_equal':
      return compare(column, '<=', oneOperand(column, filter));
    case 'contains':
      return contains(column, needle(filter));
    case 'not_contains':
      return sql`${name} IS NOT NULL AND NOT (${contains(column, needle(filter))})`;
    case 'starts_with':
      return sql`typeof(${name}) <> 'blob' AND instr(${lowerText(column)}, lower(${needle(filter)})) = 1`;
    case 'ends_with':
      return endsWith(column, needle(filter));
    case 'in_list':
      return isOneOf(name, listOperands(column, filter).flat());
    case 'not_in_list':
      return sql`${name} IS NOT NULL AND NOT (${isOneOf(name, listOperands(column, filter).flat())})`;
    case 'between': {
      const [low, high] = bounds(column, filter);
      return sql`(${compare(column, '>=', low)}) AND (${compare(column, '<=', high)})`;
    }
    case 'is_null':
      return sql`${name} IS NULL`;
    case 'is_not_null':
      return sql`${name} IS NOT NULL`;
    case 'is_empty':
      return sql`octet_length(${name}) = 0`;
    case 'is_not_empty':
      return sql`octet_length(${name}) > 0`;
    case 'regex':
      return sql`regexp(${regexPattern(filter)}, ${name})`;
  }
}

function isOneOf(name: Fragment, values: Stored[]): Fragment {
  return values.length === 1
    ? sql`${name} = ${values[0]!}`
    : sql`${name} IN (${join(
        values.map((value) => sql`${value}`),
        ', ',
      )})`;
}

/**
 * SQLite sorts numbers before texts and texts before blobs. Without the type test, `greater than 5` would match all
 * texts.
 */
function compare(column: ColumnDescription, operator: '<' | '<=' | '>' | '>=', operand: Operand): Fragment {
  const name = identifier(column.name);
  const sign: Fragment = { parts: [operator], values: [] };
  const sides = operand.map((value) => {
    if (typeof value !== 'string')
      return sql`typeof(${name}) IN ('integer', 'real') AND ${name} ${sign} ${value}`;
    // The plus stops a column's numeric affinity from turning the text '2023' into a number.
    return column.type === 'any'
      ? sql`typeof(${name}) = 'text' AND +${name} ${sign} ${value}`
      : sql`typeof(${name}) = 'text' AND ${name} ${sign} ${value}`;
  });
  return sides.length === 1 ? sides[0]! : sql`(${join(sides, ') OR (')})`;
}

/**
 * Does not use LIKE, whose pattern ends at a NUL. For a text that begins with a NUL, the pattern would be `%`, which
 * matches every text.
 */
function contains(column: ColumnDescription, text: string): Fragment {
  const name = identifier(column.name);
  return sql`typeof(${name}) <> 'blob' AND instr(${lowerText(column)}, lower(${text})) > 0`;
}

/** Compares bytes: SQLite's substr on text also stops at a NUL. */
function endsWith(column: ColumnDescription, text: string): Fragment {
  const name = identifier(column.name);
  const length = BigInt(Buffer.byteLength(text));
  return sql`typeof(${name}) <> 'blob'
    AND substr(CAST(${lowerText(column)} AS BLOB), -${length}) = CAST(lower(${text}) AS BLOB)`;
}

/** SQLite prints the real number 5 as 5.0. The search uses the form that the user sees, which is 5. */
function lowerText(column: ColumnDescription): Fragment {
  const name = identifier(column.name);
  if (column.type === 'text') return sql`lower(${name})`;
  return sql`lower(CASE typeof(${name}) WHEN 'real' THEN shown_number(${name}) ELSE ${name} END)`;
}

function regexPattern(filter: Filter): string {
  const pattern = needle(filter);
  try {
    compileRegex(pattern);
    return pattern;
  } catch (error) {
    throw unrunnable(filter, error instanceof Error ? error.message : String(error), '^Ma.+s$');
  }
}
