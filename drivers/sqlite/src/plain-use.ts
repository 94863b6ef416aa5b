import { constants as c, type StatementSync } from 'node:sqlite';
import type { Action } from './authorizer-action.ts';
import type { GuardedSchema } from './guarded-schema.ts';
import type { Handle } from './handle.ts';
import { statementShape } from './statement-shape.ts';
import { asciiLower } from './table.ts';
import { isWord, nameOf, significant, type Token, tokenize } from './tokenizer.ts';
import { testedColumn, type Write } from './unique-guarded.ts';

/**
 * Why a statement must not run if columns are guarded. Null if it reads guarded columns only as plain result columns of
 * one SELECT, and its writes cannot reveal their stored values. The authorizer does not report a column that NATURAL
 * JOIN or USING compares, or that ORDER BY names by a number or an alias. So the text is searched for such uses. If the
 * use is not clear, the function returns a problem.
 *
 * `isKeyCheck`: whether an action is a read by which SQLite checks a foreign key. `readProblem`
 * ignores such a read, because `guessProblem` checks the foreign keys.
 */
export function plainUseProblem(
  handle: Handle,
  schema: GuardedSchema,
  text: string,
  isKeyCheck: (action: Action) => boolean = () => false,
): string | null {
  const statement = compile(handle, text);
  if (!statement) return 'it cannot be checked';
  const own = tokenize(text).filter((token) => token.start < statement.value.sourceSQL.length);
  const words = significant(own);
  return (
    relationProblem(schema, words, statement.actions) ??
    conflictProblem(schema, words, statement.actions) ??
    guessProblem(handle, schema, words, statement.actions) ??
    joinProblem(schema, words, statement.actions) ??
    readProblem({ handle, schema, text, own, words, statement, isKeyCheck })
  );
}

export interface Compiled {
  value: StatementSync;
  actions: Action[];
}

export function compile(handle: Handle, text: string): Compiled | null {
  // Compiled twice: the first use of a virtual table also compiles statements of its module, which are not part
  // of this text.
  handle.authorizer.watch('compile', () => handle.db.prepare(text));
  const watched = handle.authorizer.watch('compile', () => handle.db.prepare(text));
  return watched.ok && watched.refusal === null ? watched : null;
}

function relationProblem(schema: GuardedSchema, words: Token[], actions: Action[]): string | null {
  const named = new Set(words.map((token) => nameOf(token).toLowerCase()));
  // Statistics depend on the stored values, and SQLite chooses its plans by them.
  if ([...named].some((name) => /^sqlite_stat\d$/.test(name)))
    return 'the statistics may hold values of masked columns';
  for (const { code, first, second, source } of actions) {
    if (code === c.SQLITE_ANALYZE) return 'ANALYZE would make plans depend on masked values';
    if (code === c.SQLITE_FUNCTION && second?.toLowerCase() === 'last_insert_rowid' && schema.hidesRowids())
      return 'last_insert_rowid() could be a masked value';
    // Two guesses that a client can write, and a check that shows whether they are right: a new generated column with a
    // foreign key to a masked column, and a value whose full-text index still holds the former one.
    if ((code === c.SQLITE_PRAGMA || code === c.SQLITE_READ) && namesRows(first))
      return `${first} could compare guesses with masked values`;
    if (
      code === c.SQLITE_CREATE_VIEW ||
      code === c.SQLITE_CREATE_TRIGGER ||
      code === c.SQLITE_CREATE_VTABLE
    ) {
      return 'views, triggers and virtual tables could carry masked values elsewhere';
    }
    const touched = code === c.SQLITE_ALTER_TABLE || code === c.SQLITE_CREATE_INDEX ? second : null;
    if (touched !== null && schema.hasGuarded(touched)) return `${touched} has masked columns`;
    // An INSERT may start the integrity check of a full-text index, which compares the index with masked values.
    if (source === null && (code === c.SQLITE_INSERT || code === c.SQLITE_UPDATE)) {
      const problem = /^sqlite_/i.test(first ?? '') ? null : schema.problem(first ?? '');
      if (problem !== null) return problem;
    }
    if (code !== c.SQLITE_READ) continue;
    // SQLite itself reads its own tables for statements such as DROP TABLE and ANALYZE, and does not return their rows.
    if (source === null && isOwnTable(first) && !named.has(first.toLowerCase())) continue;
    const problem = schema.problem(first ?? '') ?? (source === null ? null : schema.problem(source));
    if (problem !== null) return problem;
  }
  return null;
}

/** Whether this PRAGMA, or its table-valued function, is a check that may return the rowids of faulty rows. */
export function namesRows(name: string | null): boolean {
  return name !== null && /^(pragma_)?(foreign_key_check|integrity_check|quick_check)$/i.test(name);
}

function isOwnTable(name: string | null): name is string {
  return name !== null && /^sqlite_(sequence|stat[134])$/i.test(name);
}

/** A conflict may reveal whether a value exists. The authorizer reports no column for a conflict. */
function conflictProblem(schema: GuardedSchema, words: Token[], actions: Action[]): string | null {
  const written = actions.find(
    ({ code, first }) =>
      (code === c.SQLITE_INSERT || code === c.SQLITE_UPDATE) && first !== null && schema.hasGuarded(first),
  );
  const resolves = words.some(
    (token, index) =>
      isWord(token, 'CONFLICT') ||
      (isWord(token, 'REPLACE') && isWord(words[index + 1], 'INTO')) ||
      (isWord(token, 'OR') && isWord(words[index - 1], 'INSERT', 'UPDATE')),
  );
  return written && resolves ? `a conflict clause could reveal masked values of ${written.first}` : null;
}

/** If SQLite refuses a write because of a stored value, the refusal may reveal that value. */
function guessProblem(
  handle: Handle,
  schema: GuardedSchema,
  words: Token[],
  actions: Action[],
): string | null {
  for (const write of writesOf(words, actions)) {
    const tested = testedColumn(handle, schema, write);
    if (tested !== null) return `a constraint could reveal values of ${tested}`;
  }
  return null;
}

/** The writes of the statement and of its triggers. The authorizer reports each column of an UPDATE separately. */
function writesOf(words: Token[], actions: Action[]): Write[] {
  const updates = new Map<string, Write & { written: string[] }>();
  const others: Write[] = [];
  for (const { code, first: table, second, source } of actions) {
    if (table === null) continue;
    if (code === c.SQLITE_DELETE) others.push({ kind: 'delete', table, written: [] });
    if (code === c.SQLITE_INSERT)
      others.push({ kind: 'insert', table, written: source === null ? insertedColumns(words) : null });
    if (code !== c.SQLITE_UPDATE) continue;
    const key = JSON.stringify([table, source]);
    const update = updates.get(key) ?? { kind: 'update', table, written: [] };
    update.written.push(second ?? '');
    updates.set(key, update);
  }
  return [...others, ...updates.values()];
}

/** The columns that an INSERT names. Null if it has no list of columns. Empty for DEFAULT VALUES. */
function insertedColumns(words: Token[]): string[] | null {
  const into = words.findIndex((token) => isWord(token, 'INTO'));
  const open = words.findIndex((token, index) => index > into && token.text === '(');
  const head = into < 0 ? [] : words.slice(into, open < 0 ? undefined : open);
  if (head.some((token, index) => isWord(token, 'DEFAULT') && isWord(head[index + 1], 'VALUES'))) return [];
  const isList =
    into >= 0 && open >= 0 && !head.some((token) => isWord(token, 'VALUES', 'SELECT', 'WITH', 'DEFAULT'));
  if (!isList) return null;
  const close = words.findIndex((token, index) => index > open && token.text === ')');
  return words
    .slice(open + 1, close)
    .filter(({ text }) => text !== ',')
    .map(nameOf);
}

/** The authorizer does not report the columns that NATURAL JOIN and USING compare. */
function joinProblem(schema: GuardedSchema, words: Token[], actions: Action[]): string | null {
  // The tables that the text names, and those behind its views.
  const relations = new Set(
    [...words.map(nameOf), ...actions.flatMap(({ first, source }) => [first ?? '', source ?? ''])].map(
      asciiLower,
    ),
  );
  for (const [index, word] of words.entries()) {
    if (isWord(word, 'NATURAL')) return 'NATURAL JOIN does not say which columns it compares: use ON';
    if (!isWord(word, 'USING') || words[index + 1]?.text !== '(') continue;
    const end = words.findIndex((token, at) => at > index && token.text === ')');
    const column = words
      .slice(index + 2, end)
      .find((token) => schema.isGuardedName(nameOf(token), relations));
    if (column) return `it joins by ${nameOf(column)}, which is masked`;
    const behind = actions.find(
      ({ source, first, second }) => source !== null && schema.base(first ?? '', second ?? '') !== null,
    );
    if (behind) return `a join with USING could compare a masked column of ${behind.source}: use ON`;
  }
  return null;
}

interface Reading {
  handle: Handle;
  schema: GuardedSchema;
  text: string;
  own: Token[];
  words: Token[];
  statement: Compiled;
  isKeyCheck: (action: Action) => boolean;
}

function readProblem(reading: Reading): string | null {
  const { schema, text, own, words, statement, isKeyCheck } = reading;
  const actions = statement.actions.filter((action) => !isKeyCheck(action));
  const reads = guardedReads(schema, actions, words);
  if (typeof reads === 'string') return reads;
  const touched = statement.actions.find(
    ({ code, first }) => code === c.SQLITE_READ && first !== null && schema.hasGuarded(first),
  );
  const chooses = words.some((token, index) => isWord(token, 'INDEXED') && !isWord(words[index - 1], 'NOT'));
  if (touched && chooses) return `INDEXED BY could reveal the order of masked values of ${touched.first}`;
  const [first] = reads.keys();
  if (first === undefined) return null;
  const shape = statementShape(text, own);
  if (shape.verb !== 'SELECT' || shape.explain)
    return `${shape.explain ? 'EXPLAIN' : shape.verb} reads ${first}`;
  if (words.filter((token) => isWord(token, 'SELECT')).length !== 1)
    return `${first} is read by a statement with several SELECTs`;
  const grave = words.find((token) => isWord(token, ...combining));
  if (grave) return `${grave.text.toUpperCase()} is used together with ${first}`;
  const results = resultCounts(schema, statement.value);
  for (const [name, count] of reads) {
    if (results.get(name) !== count) return `${name} is used in an expression, filter, sort or join`;
  }
  return restProblem(reading, first);
}

/** Keywords that compare or combine values, or that let a result column be used under another name. */
export const combining = [
  'WITH',
  'UNION',
  'EXCEPT',
  'INTERSECT',
  'DISTINCT',
  'GROUP',
  'HAVING',
  'OVER',
  'WINDOW',
  'VALUES',
  'FILTER',
];

/**
 * How often the statement itself reads each guarded column. Returns a message if something else, such as a trigger or a
 * WITH, reads a guarded column. A view may read one, because `schema` checks each view.
 */
function guardedReads(
  schema: GuardedSchema,
  actions: Action[],
  words: Token[],
): Map<string, number> | string {
  // If the statement has a WITH, reads by views are refused too: the authorizer reports a WITH like a view, and a WITH
  // can have the name of a view.
  const hasWith = words.some((token) => isWord(token, 'WITH'));
  const reads = new Map<string, number>();
  for (const { code, first, second, source } of actions) {
    const base = code === c.SQLITE_READ ? schema.base(first ?? '', second ?? '') : null;
    if (!base) continue;
    const name = `${base.table}.${base.column}`;
    if (source === null) reads.set(name, (reads.get(name) ?? 0) + 1);
    else if (hasWith || !schema.isView(source)) return `${name} is read by ${source}`;
  }
  return reads;
}

function resultCounts(schema: GuardedSchema, statement: StatementSync): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { table, column } of statement.columns()) {
    const base = table !== null && column !== null ? schema.base(table, column) : null;
    const name = base && `${base.table}.${base.column}`;
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Checks the part after the result columns. That part must not use a guarded column by its name, alias or number. */
function restProblem({ handle, schema, text, own, statement }: Reading, name: string): string | null {
  const from = firstTopLevelFrom(significant(own));
  if (!from) return `${name} is read without a FROM`;
  const rest = significant(own).filter((token) => token.start > from.start);
  const labels = statement.value
    .columns()
    .filter(({ table, column }) => table !== null && column !== null && schema.base(table, column))
    .map((column) => column.name.toLowerCase());
  const named = rest.find((token) => labels.includes(nameOf(token).toLowerCase()));
  if (named) return `${nameOf(named)} is used outside the result columns`;
  const order = rest.findIndex((token) => isWord(token, 'ORDER'));
  const limit = rest.findIndex((token, index) => index > order && isWord(token, 'LIMIT'));
  const terms = order < 0 ? [] : rest.slice(order, limit < 0 ? undefined : limit);
  if (terms.some((token) => /^[.\d]/.test(token.text))) return 'ORDER BY a number could mean a masked column';
  const alone = compile(handle, `SELECT 1 ${text.slice(from.start)}`);
  if (!alone) return 'it cannot be checked';
  const reads = guardedReads(schema, alone.actions, rest);
  return typeof reads === 'string' || reads.size > 0 ? `${name} is used outside the result columns` : null;
}

function firstTopLevelFrom(words: Token[]): Token | undefined {
  let depth = 0;
  return words.find((token) => {
    if (token.text === '(') depth++;
    if (token.text === ')') depth--;
    return depth === 0 && isWord(token, 'FROM');
  });
}
