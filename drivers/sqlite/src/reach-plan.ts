import { constants as c } from 'node:sqlite';
import type { Action } from './authorizer-action.ts';
import type { Examined } from './examine.ts';
import type { Handle } from './handle.ts';
import { queryRows } from './query.ts';
import { requireTable } from './schema.ts';
import { quoteIdentifier, sql } from './sql.ts';
import { asciiLower, type Table } from './table.ts';
import { isWord, tokenize } from './tokenizer.ts';

/** The tables whose rows a statement can affect. */
export interface ReachPlan {
  /** Written by the statement itself. */
  own: Table[];
  /** Written by triggers and foreign keys. */
  others: Table[];
  /** Dropped, or rewritten without a column: every row loses data, and no trigger fires. */
  whole: Table[];
  /**
   * Only get new rows. `RowWatch` puts no trigger on them: with a trigger, SQLite would first collect all rows of an
   * INSERT … SELECT.
   */
  onlyNew: Table[];
  /** Whether a conflict may delete rows without firing a trigger. */
  replaces: boolean;
  /** For a virtual table of `own`: whether the change count is the number of existing rows that are affected. */
  countsOwn: boolean;
}

export function statementPlan(handle: Handle, { actions, shape, text }: Examined): ReachPlan {
  const { own, others } = touchedTables(handle, actions, shape.drops);
  const whole = own.filter((table) => isWhole(actions, shape.drops, table));
  const replaces =
    tokenize(text).some((token) => isWord(token, 'REPLACE')) || schemaReplaces(handle, [...own, ...others]);
  const onlyNew = replaces ? [] : [...own, ...others].filter((table) => isOnlyInserted(actions, table));
  return { own, others, whole, onlyNew, replaces, countsOwn: replaces || shape.verb !== 'INSERT' };
}

/**
 * The plan of a save. An insert, an update and a delete are compiled but never run, to see which tables they
 * write.
 */
export function savePlan(handle: Handle, table: Table): ReachPlan {
  const name = quoteIdentifier(table.description.name);
  const columns = table.description.columns.filter(
    ({ hidden, readOnly }) => !hidden && readOnly === undefined,
  );
  const sets = columns.map((column) => `${quoteIdentifier(column.name)} = NULL`).join(', ');
  const texts = [
    `DELETE FROM ${name}`,
    `INSERT INTO ${name} DEFAULT VALUES`,
    ...(sets === '' ? [] : [`UPDATE ${name} SET ${sets}`]),
  ];
  const actions = texts.flatMap(
    (text) => handle.authorizer.watch('compile', () => handle.db.prepare(text)).actions,
  );
  const { own, others } = touchedTables(handle, actions, false);
  return {
    own,
    others,
    whole: [],
    onlyNew: [],
    replaces: schemaReplaces(handle, [...own, ...others]),
    countsOwn: true,
  };
}

function touchedTables(handle: Handle, actions: Action[], drops: boolean): Pick<ReachPlan, 'own' | 'others'> {
  const names = new Map<string, string>();
  for (const { code, first, second, database } of actions) {
    const altered = code === c.SQLITE_ALTER_TABLE && drops ? second : null;
    const written = altered ?? (writing.has(code) && database === 'main' ? first : null);
    if (written !== null && !/^sqlite_/i.test(written)) names.set(asciiLower(written), written);
  }
  // SQLite reports the statement's own table first.
  const [own, ...others] = [...names.values()].map((name) => find(handle, name));
  const isStored = (table: Table | null | undefined) => table && table.description.kind !== 'view';
  return { own: [own].filter(isStored) as Table[], others: others.filter(isStored) as Table[] };
}

const writing = new Set<number>([
  c.SQLITE_INSERT,
  c.SQLITE_UPDATE,
  c.SQLITE_DELETE,
  c.SQLITE_DROP_TABLE,
  c.SQLITE_DROP_VTABLE,
]);

/** Null for a table that the statement creates, since it does not exist yet, and for a shadow table. */
function find(handle: Handle, name: string): Table | null {
  try {
    return requireTable(handle, name);
  } catch {
    return null;
  }
}

function isOnlyInserted(actions: Action[], { description, virtual }: Table): boolean {
  const codes = actions.flatMap(({ code, first }) =>
    writing.has(code) && first !== null && asciiLower(first) === asciiLower(description.name) ? [code] : [],
  );
  return !virtual && codes.length > 0 && codes.every((code) => code === c.SQLITE_INSERT);
}

function isWhole(actions: Action[], drops: boolean, { description }: Table): boolean {
  const isNamed = (name: string | null) => name !== null && asciiLower(name) === asciiLower(description.name);
  return actions.some(
    ({ code, first, second }) =>
      ((code === c.SQLITE_DROP_TABLE || code === c.SQLITE_DROP_VTABLE) && isNamed(first)) ||
      (code === c.SQLITE_ALTER_TABLE && drops && isNamed(second)),
  );
}

/** Whether a constraint or a trigger of one of the tables may say REPLACE. */
function schemaReplaces(handle: Handle, tables: Table[]): boolean {
  const names = tables.map(({ description }) => asciiLower(description.name));
  const rows = queryRows(handle, sql`SELECT tbl_name FROM sqlite_schema WHERE sql LIKE '%replace%'`);
  return rows.some(([name]) => names.includes(asciiLower(String(name))));
}
