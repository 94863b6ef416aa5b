import { constants as c } from 'node:sqlite';
import type { Change } from '@trestle/driver-kit';
import type { Action } from './authorizer-action.ts';
import type { Examined } from './examine.ts';
import { commandsTo } from './full-text-command.ts';
import type { Handle } from './handle.ts';
import { queryRows } from './query.ts';
import { requireTable } from './schema.ts';
import { quoteIdentifier, sql } from './sql.ts';
import { asciiLower, type Table } from './table.ts';
import { isWord, significant, tokenize } from './tokenizer.ts';

/** The tables whose rows a statement or a save can affect. */
export interface ReachPlan {
  /** Tables whose rows the statement or the save itself affects. */
  own: Table[];
  /** Tables whose rows triggers and foreign keys affect. */
  others: Table[];
  /** The table of a DROP TABLE or ALTER TABLE … DROP. All its rows count as affected, and its triggers do not fire. */
  whole: Table[];
  /**
   * Tables that only get new rows. `RowWatch` puts no trigger on them: with a trigger, SQLite would first collect
   * all rows of an INSERT … SELECT.
   */
  onlyNew: Table[];
  /** Whether a conflict may delete rows without firing a trigger. */
  replaces: boolean;
  /**
   * Virtual tables whose rows a trigger may change or delete. SQLite allows no trigger on a virtual table, so
   * its rows are not counted one by one.
   */
  estimated: Table[];
  /** Full-text tables to which a trigger sends a command that may delete content. */
  commanded: Table[];
  /** Tables where a foreign key may change or delete rows and SQLite's change count cannot show it. */
  cascaded: Table[];
  /**
   * For a virtual table of `own`: whether the change count is used as the number of existing rows that are affected.
   * With REPLACE, the count is an upper bound.
   */
  countsOwn: boolean;
}

export function statementPlan(handle: Handle, { actions, shape, text }: Examined): ReachPlan {
  const { own, others, names } = touchedTables(handle, actions, shape.drops);
  const whole = own.filter((table) => isWhole(actions, shape.drops, table));
  const replaces = tokenize(text).some((token) => isWord(token, 'REPLACE')) || schemaReplaces(handle, names);
  const onlyNew = replaces ? [] : [...own, ...others].filter((table) => isOnlyInserted(actions, table));
  return {
    own,
    others,
    whole,
    onlyNew,
    replaces,
    ...virtualTables(handle, { others, actions, replaces }),
    cascaded: [
      ...own.filter((table) => {
        if (shape.verb === 'UPDATE' || shape.verb === 'DELETE') return false;
        // An update counts only with REPLACE. Otherwise it may come from ON CONFLICT DO UPDATE, not from a foreign key.
        const codes = foreignKeyWrites(actions, table);
        return codes.includes(c.SQLITE_DELETE) || (replaces && codes.includes(c.SQLITE_UPDATE));
      }),
      ...others.filter((table) => foreignKeyWrites(actions, table).length > 0),
    ],
    countsOwn: replaces || shape.verb !== 'INSERT',
  };
}

/**
 * The plan of a save with changes of these kinds. A statement of each kind is compiled but never run, to see which
 * tables it writes.
 */
export function savePlan(handle: Handle, table: Table, kinds: Change['kind'][]): ReachPlan {
  const name = quoteIdentifier(table.description.name);
  const columns = table.description.columns.filter(
    ({ hidden, readOnly }) => !hidden && readOnly === undefined,
  );
  const sets = columns.map((column) => `${quoteIdentifier(column.name)} = NULL`).join(', ');
  const texts = [
    ...(kinds.includes('delete') ? [`DELETE FROM ${name}`] : []),
    ...(kinds.includes('insert') ? [`INSERT INTO ${name} DEFAULT VALUES`] : []),
    ...(kinds.includes('update') && sets !== '' ? [`UPDATE ${name} SET ${sets}`] : []),
  ];
  const actions = texts.flatMap(
    (text) => handle.authorizer.watch('compile', () => handle.db.prepare(text)).actions,
  );
  const { own, others, names } = touchedTables(handle, actions, false);
  const replaces = schemaReplaces(handle, names);
  return {
    own,
    others,
    whole: [],
    onlyNew: [],
    replaces,
    ...virtualTables(handle, { others, actions, replaces }),
    cascaded: others.filter((table) => foreignKeyWrites(actions, table).length > 0),
    countsOwn: true,
  };
}

interface Touched extends Pick<ReachPlan, 'own' | 'others'> {
  /** Tables and views, with A–Z in lower case. A view stores no rows, but its triggers may write to tables. */
  names: string[];
}

function touchedTables(handle: Handle, actions: Action[], drops: boolean): Touched {
  const names = new Map<string, string>();
  for (const { code, first, second, database } of actions) {
    const altered = code === c.SQLITE_ALTER_TABLE && drops ? second : null;
    const written = altered ?? (writing.has(code) && database === 'main' ? first : null);
    if (written !== null && !/^sqlite_/i.test(written)) names.set(asciiLower(written), written);
  }
  // SQLite reports the statement's own table first.
  const [own, ...others] = [...names.values()].map((name) => find(handle, name));
  const isStored = (table: Table | null | undefined) => table && table.description.kind !== 'view';
  return {
    own: [own].filter(isStored) as Table[],
    others: others.filter(isStored) as Table[],
    names: [...names.keys()],
  };
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

function isOnlyInserted(actions: Action[], table: Table): boolean {
  const codes = writesTo(actions, table);
  return !table.virtual && codes.length > 0 && codes.every((code) => code === c.SQLITE_INSERT);
}

function writesTo(actions: Action[], { description }: Table): number[] {
  return actions.flatMap(({ code, first }) =>
    writing.has(code) && first !== null && asciiLower(first) === asciiLower(description.name) ? [code] : [],
  );
}

/**
 * The updates and deletes of foreign keys and of the statement itself. SQLite names a source only for writes of
 * triggers.
 */
function foreignKeyWrites(actions: Action[], table: Table): number[] {
  const unnamed = actions.filter(({ source }) => source === null);
  return writesTo(unnamed, table).filter((code) => code !== c.SQLITE_INSERT);
}

function virtualTables(
  handle: Handle,
  { others, actions, replaces }: { others: Table[]; actions: Action[]; replaces: boolean },
): Pick<ReachPlan, 'estimated' | 'commanded'> {
  const virtual = others.filter((table) => table.virtual);
  if (virtual.length === 0) return { estimated: [], commanded: [] };
  const sources = new Set(actions.map(({ source }) => asciiLower(source ?? '')));
  const triggers = queryRows(handle, sql`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`)
    .filter(([name]) => sources.has(asciiLower(String(name))))
    .map(([, definition]) => significant(tokenize(String(definition))));
  const commands = new Map(
    virtual.map((table) => [
      table,
      triggers.flatMap((words) => commandsTo(asciiLower(table.description.name), words)),
    ]),
  );
  return {
    commanded: virtual.filter((table) => commands.get(table)!.includes('grave')),
    estimated: virtual.filter(
      (table) =>
        replaces ||
        commands.get(table)!.includes('delete') ||
        writesTo(actions, table).some((code) => code !== c.SQLITE_INSERT),
    ),
  };
}

function isWhole(actions: Action[], drops: boolean, { description }: Table): boolean {
  const isNamed = (name: string | null) => name !== null && asciiLower(name) === asciiLower(description.name);
  return actions.some(
    ({ code, first, second }) =>
      ((code === c.SQLITE_DROP_TABLE || code === c.SQLITE_DROP_VTABLE) && isNamed(first)) ||
      (code === c.SQLITE_ALTER_TABLE && drops && isNamed(second)),
  );
}

/** Whether a constraint or a trigger of one of these tables and views may say REPLACE. */
function schemaReplaces(handle: Handle, names: string[]): boolean {
  const rows = queryRows(handle, sql`SELECT tbl_name FROM sqlite_schema WHERE sql LIKE '%replace%'`);
  return rows.some(([name]) => names.includes(asciiLower(String(name))));
}
