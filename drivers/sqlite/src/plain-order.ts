import { constants as c } from 'node:sqlite';
import type { Action } from './authorizer-action.ts';
import { readConstraints, rowidNames } from './constraints.ts';
import type { GuardedSchema } from './guarded-schema.ts';
import type { Handle } from './handle.ts';
import { combining, compile } from './plain-use.ts';
import { queryRows } from './query.ts';
import { scannedIndexes } from './scanned-indexes.ts';
import { type Fragment, sql } from './sql.ts';
import { asciiLower } from './table.ts';
import { isWord, nameOf, significant, type Token, tokenize } from './tokenizer.ts';

/**
 * Why the statement could reveal the order of guarded values, or null. SQLite may return rows in the order of an
 * index that it reads, and reads a WITHOUT ROWID table in the order of its key. ORDER BY does not always hide this order:
 * rows that sort as equal may keep it. With NOT INDEXED, SQLite does not use the table's indexes.
 */
export function plainOrderProblem(handle: Handle, schema: GuardedSchema, text: string): string | null {
  if (schema.indexes().length === 0 && schema.keyedTables().size === 0) return null;
  const words = significant(tokenize(text)).filter(({ text: one }) => one !== ';');
  const compiled = compile(handle, text);
  if (!compiled) return null;
  const { actions } = compiled;
  const explains = isWord(words[0], 'EXPLAIN');
  // Without statistics, the plan depends on nothing but the schema and the statement.
  if (explains && !schema.hasStatistics()) return null;
  if (!explains && (onlyCounts(words, actions) || isSetOfRows(handle, words, actions))) return null;
  if (!explains && isShuffled(words, actions) && hasPlainViews(handle, schema, actions)) return null;
  const used = orderIn(handle, schema, text.slice(words[0]?.start ?? 0));
  return used === undefined ? null : `it ${used}`;
}

/**
 * Why the triggers and foreign keys of a save's statement could reveal the order of guarded values, or null. The
 * statement itself finds one row by its key.
 */
export function causedOrderProblem(handle: Handle, schema: GuardedSchema, text: string): string | null {
  if (schema.indexes().length === 0 && schema.keyedTables().size === 0) return null;
  const actions = compile(handle, text)?.actions ?? [];
  if (actions.every(({ source }) => source === null)) return null;
  const used = orderIn(handle, schema, text, { findsByKey: true });
  return used === undefined ? null : `it ${used}`;
}

/**
 * How a query could follow the order of guarded values. Undefined if it does not. `findsByKey`: the statement itself
 * finds its row by a key.
 */
export function orderIn(
  handle: Handle,
  schema: GuardedSchema,
  text: string,
  { values = [], findsByKey = false }: { values?: Fragment['values']; findsByKey?: boolean } = {},
): string | undefined {
  const keyed = keyedTableIn(handle, schema, text);
  if (keyed !== undefined)
    return `reads ${keyed}, which is stored in the order of masked values: end the statement with ORDER BY random()`;
  if (schema.indexes().length === 0) return undefined;
  // The statistics of ANALYZE depend on the stored values, and so would the plan, and a decision made from it. Without
  // them, SQLite assumes the same number of rows for every table: see scanned-indexes.test.ts.
  if (schema.hasStatistics()) {
    const table = indexedTableIn(handle, schema, text, findsByKey);
    return table === undefined
      ? undefined
      : `could follow an index of ${table}, whose rows or order may depend on masked values: write NOT INDEXED after the table or its alias`;
  }
  const { own, caused } = scannedIndexes(handle, text, values);
  const index = schema.indexes().find((one) => own.has(one) || caused.has(one));
  if (index === undefined) return undefined;
  const telling = `the index ${index}, whose rows or order may depend on masked values`;
  if (!own.has(index)) return `starts a trigger that would follow ${telling}`;
  return `would follow ${telling}: write NOT INDEXED after the table or its alias`;
}

/**
 * Whether the order in which the views' own queries read rows cannot change the rows that they return: no LIMIT, no
 * aggregate and no subquery.
 */
export function hasPlainViews(handle: Handle, schema: GuardedSchema, actions: Action[]): boolean {
  const sources = new Set(actions.flatMap(({ source }) => (source === null ? [] : [asciiLower(source)])));
  if (sources.size === 0) return true;
  if (aggregatesIn(handle, actions)) return false;
  return [...sources].every((name) => {
    if (!schema.isView(name)) return false;
    return isSimple(definitionWords(handle, name));
  });
}

/** One SELECT, without keywords that combine, group or limit rows. */
function isSimple(words: Token[]): boolean {
  return (
    words.filter((token) => isWord(token, 'SELECT')).length === 1 &&
    !words.some((token) => isWord(token, 'LIMIT', ...combining))
  );
}

function aggregatesIn(handle: Handle, actions: Action[]): boolean {
  const called = actions.flatMap(({ code, second }) =>
    code === c.SQLITE_FUNCTION && second !== null ? [asciiLower(second)] : [],
  );
  if (called.length === 0) return false;
  const rows = queryRows(
    handle,
    sql`SELECT DISTINCT lower(name) FROM pragma_function_list WHERE type <> 's'`,
  );
  const aggregates = new Set(rows.map(([name]) => String(name)));
  return called.some((name) => aggregates.has(name));
}

/**
 * Whether the statement sorts all its rows at random, after its other terms. A subquery of the LIMIT, or an error that
 * quotes the value of the first row, could still reveal an order.
 */
function isShuffled(words: Token[], actions: Action[]): boolean {
  if (!isWord(words[0], 'SELECT')) return false;
  const limit = words.findLastIndex((token) => isWord(token, 'LIMIT'));
  const body = limit < 0 ? words : words.slice(0, limit);
  const range = limit < 0 ? [] : words.slice(limit);
  const [name, open, close] = body.slice(-3);
  const order = body.findLastIndex((token) => isWord(token, 'ORDER'));
  const terms = order < 0 ? [] : body.slice(order);
  const before = terms.at(-4);
  return (
    isSimple(body) &&
    order > 0 &&
    isWord(name, 'RANDOM') &&
    open?.text === '(' &&
    close?.text === ')' &&
    (isWord(before, 'BY') || before?.text === ',') &&
    depthOf(terms.slice(0, -2)) === 0 &&
    range.every(({ text }) => text !== '(') &&
    callsNoQuotingFunction(actions)
  );
}

/** Whether all functions are ones that see one row at a time, and whose errors quote no value. */
function callsNoQuotingFunction(actions: Action[]): boolean {
  return actions.every(
    ({ code, second }) => code !== c.SQLITE_FUNCTION || plainFunctions.has(asciiLower(second ?? '')),
  );
}

const plainFunctions = new Set(
  `abs ceil ceiling char coalesce concat concat_ws current_date current_time current_timestamp date datetime floor
  format glob hex if ifnull iif instr julianday length like lower ltrim mod nullif octet_length printf quote random
  replace round rtrim sign strftime substr substring time timediff trim trunc typeof unicode unixepoch upper`.split(
    /\s+/,
  ),
);

function depthOf(words: Token[]): number {
  return words.reduce((depth, { text }) => depth + (text === '(' ? 1 : text === ')' ? -1 : 0), 0);
}

/** `count(*)` of a table or view returns one number, which reveals no order. */
function onlyCounts(words: Token[], actions: Action[]): boolean {
  const selects = words.filter((token) => isWord(token, 'SELECT', 'WITH')).length;
  const own = actions.filter(({ source }) => source === null);
  if (selects !== 1 || !own.some(({ code }) => code === c.SQLITE_FUNCTION)) return false;
  return own.every(({ code, second }) => {
    if (code === c.SQLITE_FUNCTION) return second?.toLowerCase() === 'count';
    return code === c.SQLITE_SELECT || (code === c.SQLITE_READ && second === '');
  });
}

/**
 * Whether the statement changes or deletes a set of rows, and the order in which it does so cannot be seen: it runs no
 * trigger, returns no row, reads no other row, sets no unique column, whose conflicts depend on the order, and calls no
 * function whose error could quote the value of the first row.
 */
function isSetOfRows(handle: Handle, words: Token[], actions: Action[]): boolean {
  if (!isWord(words[0], 'UPDATE', 'DELETE')) return false;
  if (words.some((token) => isWord(token, 'SELECT', 'RETURNING', 'VALUES', 'LIMIT'))) return false;
  if (isWord(words[0], 'UPDATE') && words.some((token) => isWord(token, 'FROM'))) return false;
  if (actions.some(({ source }) => source !== null) || !callsNoQuotingFunction(actions)) return false;
  return actions.every(({ code, first, second }) => {
    if (code !== c.SQLITE_UPDATE || first === null || second === null) return true;
    const unique = readConstraints(handle, first).uniques.flatMap(({ involved }) => involved);
    return !unique.includes(asciiLower(second)) && !rowidNames.includes(asciiLower(second));
  });
}

function keyedTableIn(handle: Handle, schema: GuardedSchema, text: string): string | undefined {
  const keyed = schema.keyedTables();
  if (keyed.size === 0) return undefined;
  const actions = compile(handle, text)?.actions ?? [];
  const read = actions.find(
    ({ code, first }) => code === c.SQLITE_READ && first !== null && keyed.has(asciiLower(first)),
  );
  return read?.first ?? undefined;
}

/**
 * A table with a guarded index that the statement, or one of its views and triggers, names without NOT INDEXED. Found in
 * the text, so a column with the name of such a table counts too.
 */
function indexedTableIn(
  handle: Handle,
  schema: GuardedSchema,
  text: string,
  findsByKey: boolean,
): string | undefined {
  const exposed = schema.indexedTables();
  const actions = compile(handle, text)?.actions ?? [];
  const words = significant(tokenize(text));
  const sources = [...new Set(actions.flatMap(({ source }) => source ?? []))];
  const named = new Set(words.map((token) => asciiLower(nameOf(token))));
  // A foreign key changes rows of a table that the text does not name, and the triggers see their order.
  const cascade = actions.find(
    ({ code, first, source }) =>
      (code === c.SQLITE_UPDATE || code === c.SQLITE_DELETE) &&
      source === null &&
      first !== null &&
      exposed.has(asciiLower(first)) &&
      !named.has(asciiLower(first)),
  );
  if (cascade && sources.length > 0) return cascade.first ?? undefined;
  return [...(findsByKey ? [] : [words]), ...sources.map((name) => definitionWords(handle, name))]
    .map((list) => exposedIn(list, exposed))
    .find((name) => name !== undefined);
}

function exposedIn(words: Token[], exposed: ReadonlySet<string>): string | undefined {
  const found = words.findIndex((token, index) => {
    if (!exposed.has(asciiLower(nameOf(token))) || words[index + 1]?.text === '.') return false;
    // The table of an INSERT, and the table of a trigger, are not read.
    const before = words[index - 1]?.text === '.' ? words[index - 3] : words[index - 1];
    if (isWord(before, 'INTO', 'ON')) return false;
    const rest = words.slice(index + 1, index + 5);
    const end = isWord(rest[0], 'AS') ? 2 : isWord(rest[0], 'NOT') ? 0 : 1;
    return !(isWord(rest[end], 'NOT') && isWord(rest[end + 1], 'INDEXED'));
  });
  return words[found] && nameOf(words[found]);
}

function definitionWords(handle: Handle, name: string): Token[] {
  const rows = queryRows(
    handle,
    sql`SELECT sql FROM sqlite_schema WHERE type IN ('view', 'trigger') AND name = ${name} COLLATE NOCASE`,
  );
  return rows.flatMap(([definition]) => significant(tokenize(String(definition ?? ''))));
}
