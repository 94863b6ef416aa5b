import {
  type ColumnOrigin,
  type Guarded,
  holdsPersonal,
  isGuarded,
  type MaskedKinds,
} from '@trestle/driver-kit';
import { readConstraints, rowidNames } from './constraints.ts';
import { columnsOf, guardTables, type Relation } from './guard-tables.ts';
import type { GuardedSchema } from './guarded-schema.ts';
import type { Handle } from './handle.ts';
import { plainUseProblem } from './plain-use.ts';
import { queryRows } from './query.ts';
import { quoteIdentifier, sql } from './sql.ts';
import { asciiLower } from './table.ts';
import { isWord, nameOf, significant, tokenize } from './tokenizer.ts';

/** The file's schema with its guarded columns. Cached until the schema version or the guarded columns change. */
export function guardedSchema(
  handle: Handle,
  { guarded = [], maskedKinds }: { guarded?: Guarded | undefined; maskedKinds?: MaskedKinds | undefined },
): GuardedSchema {
  const version = queryRows(handle, sql`PRAGMA schema_version`)[0]![0] as bigint;
  const patterns = maskedKinds?.patterns ?? [];
  const key = `${version} ${JSON.stringify([guarded, patterns])}`;
  const known = cache.get(handle);
  if (known?.key === key) return known.schema;
  const schema = new FileSchema(handle, guarded, patterns);
  cache.set(handle, { key, schema });
  return schema;
}

const cache = new WeakMap<Handle, { key: string; schema: GuardedSchema }>();

class FileSchema implements GuardedSchema {
  readonly #handle: Handle;
  readonly #guarded: Guarded;
  /** Whether the text of the schema holds a masked kind of value, for example as a default. */
  readonly #guardsText: boolean;
  readonly #relations: Map<string, Relation>;
  readonly #triggers: Set<string>;
  /** Tables with guarded indexes. */
  #telling: { name: string; indexes: string[] }[] | null = null;
  #keyed: ReadonlySet<string> | null = null;
  #hasStatistics: boolean | null = null;
  #hidesRowids: boolean | null = null;
  /** Views whose check has begun. A view is added before its check, so a view that names itself causes no loop. */
  readonly #seen = new Set<string>();

  constructor(handle: Handle, guarded: Guarded, patterns: MaskedKinds['patterns']) {
    this.#handle = handle;
    this.#guarded = guarded;
    this.#guardsText =
      patterns.length > 0 &&
      queryRows(handle, sql`SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL`).some(([text]) =>
        holdsPersonal(String(text), patterns),
      );
    this.#relations = new Map(readRelations(handle).map((one) => [asciiLower(one.name), one]));
    guardTables(handle, this.#relations, guarded);
    const triggers = queryRows(handle, sql`SELECT name FROM sqlite_schema WHERE type = 'trigger'`);
    this.#triggers = new Set(triggers.map(([name]) => asciiLower(String(name))));
    const isTainted = ({ name, guarded: own, kind }: Relation) =>
      own.size > 0 ||
      (kind === 'view' && columnsOf(handle, name).some((column) => isGuarded(guarded, name, column.name)));
    spreadToVirtualTables([...this.#relations.values()], isTainted);
  }

  get guardsNothing(): boolean {
    return this.#guarded.length === 0 && !this.#guardsText;
  }

  base(relation: string, column: string): ColumnOrigin | null {
    if (this.#guardsText && isSchemaText(relation, column)) return { table: relation, column };
    return this.#relation(relation)?.guarded.get(asciiLower(column)) ?? null;
  }

  problem(relation: string): string | null {
    // The statistics of ANALYZE contain sample values and the number of different values. A client could write a guess
    // and see whether this number grows.
    if (/^sqlite_stat[134]$/i.test(relation)) return `${relation} may hold values of masked columns`;
    // sqlite_sequence holds the largest rowid of each AUTOINCREMENT table.
    if (/^sqlite_sequence$/i.test(relation) && this.hidesRowids())
      return `${relation} may hold values of masked columns`;
    const known = this.#relation(relation);
    if (!known && isPageStatistics(relation)) return `${relation} shows the size of masked values`;
    return known?.problem ?? null;
  }

  hidesRowids(): boolean {
    this.#hidesRowids ??= [...this.#relations.values()].some(
      ({ name, kind, guarded }) =>
        kind === 'table' && guarded.size > 0 && guarded.has(readConstraints(this.#handle, name).rowid ?? ''),
    );
    return this.#hidesRowids;
  }

  hasGuarded(relation: string): boolean {
    return (this.#relation(relation)?.guarded.size ?? 0) > 0;
  }

  isView(name: string): boolean {
    // A trigger may have the same name as a view. SQLite reports the reads of both under that name, so it is not clear
    // whether the view or the trigger made a read.
    const lower = asciiLower(name);
    return this.#relations.get(lower)?.kind === 'view' && !this.#triggers.has(lower);
  }

  isGuardedName(column: string, relations: ReadonlySet<string>): boolean {
    const lower = asciiLower(column);
    return [...this.#relations.values()].some(
      ({ name, kind, guarded }) =>
        relations.has(asciiLower(name)) &&
        (guarded.has(lower) || (kind === 'view' && isGuarded(this.#guarded, name, column))),
    );
  }

  indexes(): string[] {
    return this.#tellingTables().flatMap(({ indexes }) => indexes);
  }

  indexedTables(): ReadonlySet<string> {
    return new Set(this.#tellingTables().map(({ name }) => asciiLower(name)));
  }

  keyedTables(): ReadonlySet<string> {
    this.#keyed ??= new Set(
      [...this.#relations.values()]
        .filter(({ kind, guarded }) => kind === 'table' && guarded.size > 0)
        .filter(({ name, guarded }) => isKeyed(this.#handle, name, guarded))
        .map(({ name }) => asciiLower(name)),
    );
    return this.#keyed;
  }

  hasStatistics(): boolean {
    this.#hasStatistics ??=
      queryRows(this.#handle, sql`SELECT 1 FROM sqlite_schema WHERE name GLOB 'sqlite_stat[134]'`).length > 0;
    return this.#hasStatistics;
  }

  #tellingTables(): { name: string; indexes: string[] }[] {
    this.#telling ??= [...this.#relations.values()]
      .filter(({ kind, guarded }) => kind === 'table' && guarded.size > 0)
      .map((relation) => ({ name: relation.name, indexes: guardedIndexes(this.#handle, relation) }))
      .filter(({ indexes }) => indexes.length > 0);
    return this.#telling;
  }

  #relation(name: string): Relation | undefined {
    const lower = asciiLower(name);
    const relation = this.#relations.get(lower);
    if (relation?.kind === 'view' && !this.#seen.has(lower)) {
      this.#seen.add(lower);
      this.#lookInto(relation);
    }
    return relation;
  }

  /**
   * Sets `guarded` or `problem` of a view. A view may show a guarded column unchanged. A view that computes
   * with a guarded column, or selects rows by it, may reveal its values.
   */
  #lookInto(view: Relation): void {
    const problem = plainUseProblem(this.#handle, this, viewBody(view.definition));
    if (problem !== null) {
      view.problem = `The view ${view.name} may reveal values of masked columns: ${problem}`;
      return;
    }
    try {
      const shown = this.#handle.db.prepare(`SELECT * FROM ${quoteIdentifier(view.name)}`).columns();
      for (const { name, table, column } of shown) {
        const base = table !== null && column !== null ? this.base(table, column) : null;
        const own = isGuarded(this.#guarded, view.name, name) ? { table: view.name, column: name } : null;
        if (base ?? own) view.guarded.set(asciiLower(name), (base ?? own)!);
      }
    } catch (error) {
      view.problem = `The view ${view.name} cannot be checked: ${error instanceof Error ? error.message : error}`;
    }
  }
}

/** Whether this column holds text of the schema. The names of tables and columns are not masked. */
export function isSchemaText(relation: string, column: string): boolean {
  return schemaTexts.has(`${asciiLower(relation)} ${asciiLower(column)}`);
}

const schemaTexts = new Set([
  ...['sqlite_master', 'sqlite_schema', 'sqlite_temp_master', 'sqlite_temp_schema'].map(
    (name) => `${name} sql`,
  ),
  ...['pragma_table_info', 'pragma_table_xinfo'].flatMap((name) => [`${name} dflt_value`, `${name} type`]),
]);

/** Whether this is SQLite's table with statistics of all pages, for example the size of the largest row on a page. */
export function isPageStatistics(name: string): boolean {
  return asciiLower(name) === 'dbstat';
}

function readRelations(handle: Handle): Relation[] {
  const rows = queryRows(
    handle,
    sql`SELECT m.name, m.type, m.sql, l.type FROM sqlite_schema m
        LEFT JOIN pragma_table_list l ON l.schema = 'main' AND l.name = m.name
        WHERE m.type IN ('table', 'view')`,
  );
  return rows.map(([name, type, definition, listed]) => ({
    name: String(name),
    kind: type === 'view' ? 'view' : listed === 'virtual' || listed === 'shadow' ? listed : 'table',
    definition: String(definition ?? ''),
    guarded: new Map(),
    problem: null,
  }));
}

function guardedIndexes(handle: Handle, { name: table, guarded }: Relation): string[] {
  const rows = queryRows(
    handle,
    sql`SELECT l.name, l.partial, x.name, x.key, m.sql FROM pragma_index_list(${table}) l, pragma_index_xinfo(l.name) x
        LEFT JOIN sqlite_schema m ON m.type = 'index' AND m.name = l.name`,
  );
  // `column` is NULL for an index on an expression, which may use a guarded column.
  const tells = rows.filter(
    ([, partial, column, inKey, definition]) =>
      (inKey === 1n && (column === null || guarded.has(asciiLower(String(column))))) ||
      (partial === 1n && mayNameGuarded(definition, guarded)),
  );
  return [...new Set(tells.map(([name]) => String(name)))];
}

/** Whether this is a WITHOUT ROWID table with a guarded column in its key. */
function isKeyed(handle: Handle, table: string, guarded: Relation['guarded']): boolean {
  const [row] = queryRows(
    handle,
    sql`SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ${table}`,
  );
  if (row?.[0] !== 1n) return false;
  const keys = queryRows(handle, sql`SELECT name FROM pragma_table_xinfo(${table}) WHERE pk > 0`);
  return keys.some(([name]) => guarded.has(asciiLower(String(name))));
}

/** Whether a partial index may depend on a guarded column. The rowid may be such a column under another name. */
function mayNameGuarded(definition: unknown, guarded: Relation['guarded']): boolean {
  if (typeof definition !== 'string') return true;
  const names = significant(tokenize(definition)).map((token) => asciiLower(nameOf(token)));
  return names.some((name) => guarded.has(name) || rowidNames.includes(name));
}

/**
 * Sets `problem` of virtual tables and shadow tables. A full-text index over a table with a guarded column may reveal
 * that column, and so may the shadow tables of the index. The index may also read the table through views. A view is
 * treated like the table if its definition names the table: whether the view shows the guarded column is not known yet.
 */
function spreadToVirtualTables(relations: Relation[], isTainted: (relation: Relation) => boolean): void {
  const virtual = relations.filter(({ kind }) => kind === 'virtual');
  // `isTainted` compiles every view, which can take seconds in a file with hundreds of views. A file without virtual
  // tables does not need this work.
  if (virtual.length === 0) return;
  const tainted = new Set(relations.filter(isTainted).map(({ name }) => asciiLower(name)));
  const carriers = [...relations.filter(({ kind }) => kind === 'view'), ...virtual].map((one) => ({
    name: asciiLower(one.name),
    names: significant(tokenize(one.definition)).map((token) => asciiLower(nameOf(token))),
  }));
  for (let before = -1; before !== tainted.size; ) {
    before = tainted.size;
    for (const { name, names } of carriers) if (names.some((one) => tainted.has(one))) tainted.add(name);
  }
  for (const one of virtual) {
    if (tainted.has(asciiLower(one.name)))
      one.problem = `The virtual table ${one.name} may reveal values of masked columns`;
  }
  for (const one of relations.filter(({ kind }) => kind === 'shadow')) {
    // The module adds the part after the last "_": found_pages_content belongs to found_pages, not to found.
    const ownerName = asciiLower(one.name.slice(0, one.name.lastIndexOf('_')));
    const owner = virtual.find(({ name }) => asciiLower(name) === ownerName);
    if (owner && owner.problem !== null)
      one.problem = `${one.name} holds the content of ${owner.name}, which may reveal masked values`;
  }
}

/** The SELECT of `CREATE VIEW name [(columns)] AS SELECT …`. */
function viewBody(definition: string): string {
  const words = significant(tokenize(definition));
  const start = words.findIndex((token) => isWord(token, 'AS'));
  return start < 0 ? '' : definition.slice(words[start]!.end);
}
