import {
  answerTooLarge,
  type BrowseRequest,
  type ColumnDescription,
  type ColumnHead,
  type CountRequest,
  DriverError,
  type ExportRequest,
  guardTable,
  maxAnswerBytes,
  type Page,
  type ReadCellsRequest,
  type RowSet,
  type Sort,
  weigh,
} from '@trestle/driver-kit';
import { plainlyOrdered, sourcesIn } from './assert-unguarded.ts';
import { whereClause } from './filter.ts';
import type { Handle } from './handle.ts';
import { afterCondition, keyCondition } from './key.ts';
import { iterateRows, queryRows } from './query.ts';
import { requireTable } from './schema.ts';
import { type Fragment, identifier, join, sql } from './sql.ts';
import { keepsApart, requireColumn, type Table } from './table.ts';
import { cutRow, type Stored, toRowSet } from './values.ts';

export function browse(handle: Handle, request: BrowseRequest): Page {
  const limit = wholeNumber('limit', request.limit);
  const offset = wholeNumber('offset', request.offset);
  const range = sql` LIMIT ${BigInt(limit)} OFFSET ${BigInt(offset)}`;
  const { heads, query } = selectRows(handle, request, { range });
  const rows = readPage(handle, requireTable(handle, request.table), query);
  return { rows: toRowSet(heads, rows) };
}

/**
 * Reading row by row is slower than reading all rows together. So only rows that could fill the memory are read row by
 * row: the rows of a large file, and computed rows, which may be larger than the file.
 */
function readPage(handle: Handle, table: Table, query: Fragment): Stored[][] {
  const [[pages, size]] = queryRows(
    handle,
    sql`SELECT page_count, page_size FROM pragma_page_count, pragma_page_size`,
  ) as [bigint[]];
  if (pages! * size! <= smallFileBytes && !isComputed(table)) return queryRows(handle, query);
  const rows: Stored[][] = [];
  let weight = 0;
  for (const row of iterateRows(handle, query)) {
    rows.push(cutRow(row));
    weight += weigh(rows.at(-1), maxAnswerBytes);
    if (weight > maxAnswerBytes) throw answerTooLarge();
  }
  return rows;
}

const smallFileBytes = 256n * 1024n * 1024n;

function isComputed({ description, virtual }: Table): boolean {
  // The rowid column is read-only too, but hidden.
  const isGenerated = description.columns.some(({ readOnly, hidden }) => readOnly !== undefined && !hidden);
  return description.kind === 'view' || virtual || isGenerated;
}

export function count(handle: Handle, request: CountRequest): number {
  const table = requireTable(handle, request.table);
  guardTable(table.description.name, request, sourcesIn(handle, table, request.guarded));
  const where = whereClause(table, request.filters, request.match);
  const query = sql`SELECT count(*) FROM ${identifier(table.description.name)}${where}`;
  // A view with a LIMIT may read in the order of guarded values, and so keep the rows with the smallest ones. A count
  // with a filter could reveal which rows these are.
  const isPlain = table.description.kind === 'table' || request.filters.length === 0 || !request.guarded;
  const rows = queryRows(handle, isPlain ? query : plainlyOrdered(handle, table, [query], request.guarded!));
  return Number(rows[0]![0]);
}

/** The rows that were found, in the order of the requested keys. */
export function readCells(handle: Handle, request: ReadCellsRequest): RowSet {
  const table = requireTable(handle, request.table);
  const mark = guardTable(table.description.name, request, sourcesIn(handle, table, request.guarded));
  const columns = chooseColumns(table, request.columns);
  const from = sql`SELECT ${names(columns)} FROM ${identifier(table.description.name)}`;
  const rows = request.keys.flatMap((key) =>
    queryRows(handle, sql`${from} WHERE ${keyCondition(table, key)}`).map(cutRow),
  );
  return toRowSet(columns.map(headOf(table, request)).map(mark), rows);
}

/**
 * The query for the rows of a page or an export. With `sample`, it selects that many random rows. `range` is its LIMIT,
 * if any.
 */
export function selectRows(
  handle: Handle,
  request: ExportRequest,
  { sample, range = sql`` }: { sample?: number; range?: Fragment } = {},
): { heads: ColumnHead[]; query: Fragment } {
  const table = requireTable(handle, request.table);
  const sourceOf = sourcesIn(handle, table, request.guarded);
  const mark = guardTable(table.description.name, request, sourceOf);
  const columns = chooseColumns(table, request.columns);
  const matching = whereClause(table, request.filters, request.match);
  const where = request.after ? andAfter(table, matching, request) : matching;
  const isDrawnWhole = sample !== undefined && table.description.key.length === 0;
  const order = isDrawnWhole ? randomly(sample) : orderClause(table, request.sort, sourceOf);
  const chosen = sample === undefined ? where : drawn(table, where, sample);
  const source = sql`SELECT ${names(columns)} FROM ${identifier(table.description.name)}`;
  const heads = columns.map(headOf(table, request)).map(mark);
  const query = sql`${source}${chosen}${order}${range}`;
  const open = openColumns(table, sourceOf);
  const isTable = table.description.kind === 'table';
  if (!request.guarded || (isTable && open.length > 0)) return { heads, query };
  const queries = [query];
  if (isTable) queries.push(sql`${source} NOT INDEXED${chosen}${order}${range}`);
  else if (open.length > 0 && order.parts[0] === '')
    queries.push(sql`${source}${chosen}${byTerms(open.map(identifier))}${range}`);
  const sorted = isTable || open.length === 0 ? undefined : queries.at(-1);
  // If all columns are masked and the query has no order, its order may be random. Pages may then repeat rows.
  const random = order.parts[0] === '' ? sql`${source}${chosen} ORDER BY random()${range}` : query;
  const otherwise = open.length === 0 ? random : undefined;
  return { heads, query: plainlyOrdered(handle, table, queries, request.guarded, { sorted, otherwise }) };
}

/**
 * The WHERE of an export that continues after a row. Without filters, it selects only the rows after that row. With
 * filters, it ignores `after`, and the table is read from its start. The driver kit allows that.
 */
function andAfter(table: Table, matching: Fragment, { filters, after }: ExportRequest): Fragment {
  return filters.length > 0 ? matching : sql` WHERE ${afterCondition(table, after!)}`;
}

/**
 * The WHERE of a sample. A subquery draws random keys: otherwise SQLite would sort whole rows, which may contain large
 * vectors. Rows without a key are sorted whole, by `selectRows`.
 */
function drawn(table: Table, where: Fragment, rows: number): Fragment {
  const { key, name } = table.description;
  if (key.length === 0) return where;
  const columns = join(key.map(identifier), ', ');
  return sql` WHERE (${columns}) IN (
    SELECT ${columns} FROM ${identifier(name)}${where}${randomly(rows)})`;
}

function randomly(rows: number): Fragment {
  return sql` ORDER BY random() LIMIT ${BigInt(rows)}`;
}

function headOf(table: Table, { exact }: { exact?: boolean }): (column: ColumnHead) => ColumnHead {
  return ({ name, type, nativeType }) => ({
    name,
    type,
    nativeType,
    ...(exact && keepsApart(table, { name, type, nativeType }) && { apart: true }),
  });
}

function chooseColumns(table: Table, asked: string[] | undefined): ColumnDescription[] {
  const { columns, key } = table.description;
  if (!asked) return columns;
  const chosen = new Set(asked.map((name) => requireColumn(table, name)));
  for (const name of key) chosen.add(requireColumn(table, name));
  return [...chosen];
}

/**
 * The order ends with the tiebreak columns. Otherwise pages could repeat or miss rows that sort as equal. If a tiebreak
 * column is masked, it would reveal the order of its values, so all columns that are not masked break ties instead. A
 * view without a sort keeps its own order.
 */
function orderClause(table: Table, sort: Sort[], sourceOf: SourceOf): Fragment {
  if (table.description.kind === 'view' && sort.length === 0) return sql``;
  const terms = sort.map(({ column, order }) => {
    const name = identifier(requireColumn(table, column).name);
    return order === 'desc' ? sql`${name} DESC` : name;
  });
  const isMasked = table.tiebreak.some((name) => sourceOf(name)?.masked);
  return byTerms([...terms, ...(isMasked ? openColumns(table, sourceOf) : table.tiebreak).map(identifier)]);
}

type SourceOf = ReturnType<typeof sourcesIn>;

/** The columns that are not masked. */
function openColumns({ description }: Table, sourceOf: SourceOf): string[] {
  return description.columns.map(({ name }) => name).filter((name) => !sourceOf(name)?.masked);
}

function byTerms(terms: Fragment[]): Fragment {
  return terms.length === 0 ? sql`` : sql` ORDER BY ${join(terms, ', ')}`;
}

function names(columns: ColumnDescription[]): Fragment {
  // If a table or view has no key, a request may choose no column at all. NULL then keeps the number of rows.
  if (columns.length === 0) return sql`NULL`;
  return join(
    columns.map((column) => identifier(column.name)),
    ', ',
  );
}

export function wholeNumber(what: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new DriverError({
    code: 'invalid_argument',
    message: `The ${what} must be a whole number of 0 or more, not ${value}`,
  });
}
