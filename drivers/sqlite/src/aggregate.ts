import {
  type Aggregated,
  type AggregateRequest,
  type Cell,
  type ColumnDescription,
  type ColumnHead,
  countName,
  DriverError,
  guardTable,
  type Json,
  type Measure,
  type Measured,
  measureName,
  rowSetFromCells,
  topValues,
} from '@trestle/driver-kit';
import { plainlyOrdered, sourcesIn } from './assert-unguarded.ts';
import { whereClause } from './filter.ts';
import type { Handle } from './handle.ts';
import { wholeNumber } from './page.ts';
import { queryRows } from './query.ts';
import { requireTable } from './schema.ts';
import { type Fragment, identifier, join, sql } from './sql.ts';
import { requireColumn, type Table } from './table.ts';
import { cutRow, fromStored, type Stored } from './values.ts';

export function aggregate(handle: Handle, request: AggregateRequest): Aggregated {
  const table = requireTable(handle, request.table);
  const aggregated = [...request.by.map((column) => ({ column })), ...request.measured];
  guardTable(table.description.name, { ...request, aggregated }, sourcesIn(handle, table, request.guarded));
  const by = request.by.map((name) => requireColumn(table, name));
  const measured = request.measured.map((one) => ({ ...one, head: requireColumn(table, one.column) }));
  for (const one of measured) assertMeasurable(one, by);
  const run = (query: Fragment) => queryRows(handle, safe(handle, table, query, request));
  const where = whereClause(table, request.filters, request.match);
  const from = sql` FROM ${identifier(table.description.name)}${where}`;
  const columns = [
    ...by.map(({ name }) => identifier(name)),
    sql`count(*)`,
    ...measured.map(({ column, measure }) => sqlOf(measure, identifier(requireColumn(table, column).name))),
  ];
  const rows = run(sql`SELECT ${join(columns, ', ')}${from}${grouping(by, request.groups)}`);
  const shown: Cell[][] = rows
    .slice(0, by.length === 0 ? 1 : request.groups)
    .map((row) => cutRow(row).map(fromStored));
  for (const [index, { measure, head }] of measured.entries()) {
    if (measure === 'top_values') shown[0]![by.length + 1 + index] = topOf(run, from, head.name);
  }
  const heads: ColumnHead[] = [
    ...by.map(({ name, type, nativeType }) => ({ name, type, nativeType })),
    { name: countName(request.by), type: 'int', nativeType: '' },
    ...measured.map((one) => ({ name: measureName(one), ...typeOf(one.measure, one.head) })),
  ];
  return { rows: rowSetFromCells(heads, shown), hasMore: rows.length > shown.length };
}

/** Groups of equal size come in the order of their values, so that a limit always gives the same groups. */
function grouping(by: ColumnDescription[], groups: number): Fragment {
  if (by.length === 0) return sql``;
  const names = join(
    by.map(({ name }) => identifier(name)),
    ', ',
  );
  return sql` GROUP BY ${names} ORDER BY count(*) DESC, ${names} LIMIT ${BigInt(wholeNumber('groups', groups) + 1)}`;
}

/** A view with a LIMIT may keep the rows with the smallest guarded values, and the numbers would tell which. */
function safe(handle: Handle, table: Table, query: Fragment, { guarded }: AggregateRequest): Fragment {
  if (!guarded || table.description.kind === 'table') return query;
  return plainlyOrdered(handle, table, [query], guarded);
}

function sqlOf(measure: Measure, column: Fragment): Fragment {
  switch (measure) {
    case 'count':
      return sql`count(${column})`;
    case 'sum':
      return sql`sum(${column})`;
    case 'mean':
      return sql`avg(${column})`;
    case 'min':
      return sql`min(${column})`;
    case 'max':
      return sql`max(${column})`;
    case 'top_values':
      return sql`NULL`;
  }
}

function topOf(run: (query: Fragment) => Stored[][], from: Fragment, name: string): Json[] {
  const column = identifier(name);
  const counted = sql`SELECT ${column}, count(*)${from} GROUP BY ${column}`;
  const rows = run(
    sql`SELECT * FROM (${counted}) WHERE ${column} IS NOT NULL ORDER BY 2 DESC, 1 LIMIT ${BigInt(topValues)}`,
  );
  return rows.map((row) => {
    const [value, count] = cutRow(row).map(fromStored);
    return [plainJson(value!), Number(count)];
  });
}

function plainJson(cell: Cell): Json {
  if (typeof cell === 'bigint') return String(cell);
  return cell instanceof Uint8Array ? cell.toBase64() : cell;
}

function typeOf(measure: Measure, { type, nativeType }: ColumnDescription): Omit<ColumnHead, 'name'> {
  switch (measure) {
    case 'count':
      return { type: 'int', nativeType: '' };
    case 'mean':
      return { type: 'number', nativeType: '' };
    case 'top_values':
      return { type: 'json', nativeType: '' };
    default:
      return { type, nativeType };
  }
}

const counted = new Set(['text', 'bytes', 'date', 'json', 'uuid', 'boolean']);

function assertMeasurable(
  { measure, column, head }: Measured & { head: ColumnDescription },
  by: ColumnDescription[],
): void {
  if ((measure === 'sum' || measure === 'mean') && counted.has(head.type)) {
    throw new DriverError({
      code: 'unsupported',
      message: `The ${measure} of ${column} does not exist: its type is ${head.nativeType || head.type}`,
      hint: 'sum and mean are for numbers. Use count, min, max or top_values.',
    });
  }
  if (measure === 'top_values' && by.length > 0) {
    throw new DriverError({
      code: 'unsupported',
      message: 'SQLite counts the top values only of all rows, not of each group',
      hint: `Group by ${column} as well.`,
    });
  }
}
