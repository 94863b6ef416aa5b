import { DriverError } from './errors.ts';
import { foldText } from './normalized.ts';
import type { ColumnHead, ColumnOrigin, RowKey } from './values.ts';

/**
 * Columns whose values the caller may not see. `*` in a name matches any characters. If a result column comes from a
 * guarded column, the driver marks it as `masked` and fills `origin`. Before the driver runs a request, it refuses
 * every use that could reveal a value: expressions, filters, sorts, joins, copies. In doubt, it refuses the request.
 */
export type Guarded = readonly ColumnOrigin[];

/** Ignores case and Unicode normalization: hiding too much is the smaller mistake. */
export function isGuarded(guarded: Guarded | undefined, table: string, column: string): boolean {
  return (guarded ?? []).some((one) => fits(one.table, table) && fits(one.column, column));
}

/** The source of a column's values, and whether it is guarded. */
export interface ColumnSource {
  origin: ColumnOrigin;
  masked: boolean;
}

/** How a request uses columns, apart from its result. */
export interface GuardedUse {
  filters?: readonly { column: string }[];
  sort?: readonly { column: string }[];
  /** The keys of the requested rows. A key with a guarded column would reveal whether a row with that key exists. */
  keys?: readonly (RowKey | null)[];
  /** The cells that changes expect. Whether a change was a conflict would reveal whether a guess is right. */
  expected?: readonly (Record<string, unknown> | undefined)[];
  /** The key after which an export continues. A guarded column in it would reveal values of that column. */
  after?: RowKey;
  keywordColumns?: readonly { column: string }[];
  groupBy?: { column: string };
  rerank?: { column: string };
  /** Columns of an aggregate: those that make its groups, and those that it measures. */
  aggregated?: readonly { column: string }[];
}

/** Refuses every use of a guarded column except as a plain result. Returns a function that marks result columns. */
export function guardTable(
  table: string,
  {
    filters = [],
    sort = [],
    keys = [],
    expected = [],
    after,
    keywordColumns = [],
    groupBy,
    rerank,
    aggregated = [],
  }: GuardedUse,
  sourceOf: (column: string) => ColumnSource | undefined,
): (head: ColumnHead) => ColumnHead {
  const uses = {
    filter: filters.map(({ column }) => column),
    sort: sort.map(({ column }) => column),
    'find rows': [...keys, after ?? null].flatMap((key) => Object.keys(key ?? {})),
    compare: expected.flatMap((cells) => Object.keys(cells ?? {})),
    search: keywordColumns.map(({ column }) => column),
    'group or rank': [groupBy, rerank].flatMap((one) => one?.column ?? []),
    'count, group or measure': aggregated.map(({ column }) => column),
  };
  for (const [use, columns] of Object.entries(uses)) {
    const column = columns.find((name) => sourceOf(name)?.masked);
    if (column !== undefined) throw maskedUse(`${table}.${column} cannot be used to ${use}`);
  }
  return (head) => markedHead(head, sourceOf(head.name));
}

export function markedHead(head: ColumnHead, source: ColumnSource | undefined): ColumnHead {
  return source ? { ...head, origin: source.origin, ...(source.masked && { masked: true }) } : head;
}

export function maskedUse(problem: string): DriverError {
  return new DriverError({
    code: 'refused',
    message: `The connection masks columns for external clients, and this would bypass it: ${problem}`,
    hint: "Name masked columns only as plain result columns, where they show as •••. Filter, sort, join, group, search and compute with other columns, or ask the user to change Masking in the connection's Advanced section.",
  });
}

/** Parses `column` or `table.column`. A name may contain dots, so every possible split counts. */
export function maskedColumn(text: string): ColumnOrigin[] {
  const readings: ColumnOrigin[] = [{ table: '*', column: text }];
  for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', dot + 1)) {
    const table = text.slice(0, dot);
    const column = text.slice(dot + 1);
    if (table !== '' && column !== '') readings.push({ table, column });
  }
  return readings;
}

/**
 * Whether a name matches a pattern with `*`. Uses no regular expression: with many stars, it could backtrack for a long
 * time.
 */
function fits(pattern: string, name: string): boolean {
  const [start = '', ...parts] = foldText(pattern).split('*');
  const text = foldText(name);
  const end = parts.pop();
  if (end === undefined) return start === text;
  const stop = text.length - end.length;
  let at = start.length;
  if (at > stop || !text.startsWith(start) || !text.endsWith(end)) return false;
  return parts.every((part) => {
    const found = text.indexOf(part, at);
    at = found + part.length;
    return found >= 0 && at <= stop;
  });
}
