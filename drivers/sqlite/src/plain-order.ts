import { constants as c } from 'node:sqlite';
import type { Action } from './authorizer-action.ts';
import type { GuardedSchema } from './guarded-schema.ts';
import type { Handle } from './handle.ts';
import { compile } from './plain-use.ts';
import type { Fragment } from './sql.ts';
import { isWord, significant, type Token, tokenize } from './tokenizer.ts';

/**
 * Why the statement could reveal the order of guarded values, or null. SQLite may return rows in the order of an
 * index that it reads. ORDER BY does not always hide this order: rows that sort as equal may keep it. With NOT INDEXED,
 * SQLite does not use the table's indexes.
 */
export function plainOrderProblem(handle: Handle, schema: GuardedSchema, text: string): string | null {
  if (schema.indexes().length === 0) return null;
  const words = significant(tokenize(text));
  const first = words.find((token) => token.text !== ';');
  if (!first || isWord(first, 'EXPLAIN')) return null;
  const compiled = compile(handle, text);
  if (!compiled || onlyCounts(words, compiled.actions)) return null;
  const used = guardedIndexIn(handle, schema, text.slice(first.start));
  return used === undefined
    ? null
    : `it would follow the index ${used}, whose rows or order may depend on masked values: write NOT INDEXED after the table or its alias`;
}

/** An index of the plan whose rows or order may depend on guarded values. Undefined if there is none. */
export function guardedIndexIn(
  handle: Handle,
  schema: GuardedSchema,
  text: string,
  values: Fragment['values'] = [],
): string | undefined {
  if (schema.indexes().length === 0) return undefined;
  const plan = planOf(handle, text, values);
  return schema.indexes().find((index) => plan.some((step) => step.includes(` INDEX ${index} `)));
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

function planOf(handle: Handle, text: string, values: Fragment['values']): string[] {
  // The plan depends on the values: SQLite uses a partial index only if a value fits its condition.
  const steps = handle.db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as unknown as unknown[][];
  // A step is, for example, `SCAN users USING COVERING INDEX users_email`. Terms in parentheses or LEFT-JOIN may follow
  // the name. The added space lets a search for ` INDEX users_email ` also find a name at the end.
  return steps.map((step) => `${step[3]} `);
}
