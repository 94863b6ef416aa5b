import { createHash } from 'node:crypto';
import { type Loss, rowsLost, type Written } from '@trestle/driver-kit';
import type { Handle } from './handle.ts';
import { queryRows } from './query.ts';
import type { ReachPlan } from './reach-plan.ts';
import { readCascades } from './relations.ts';
import { type RowEvents, RowWatch } from './row-watch.ts';
import { identifier, sql } from './sql.ts';
import { asciiLower, type Table } from './table.ts';

/**
 * Counts the existing rows that a statement or a save changes or deletes, inside an open transaction. SQLite's own
 * change count is not enough: it omits rows that a conflict or a foreign key deletes, and includes new rows.
 */
export class ReachCounter {
  readonly #handle: Handle;
  readonly #plan: ReachPlan;
  readonly #schema: string;
  readonly #watched: Table[];
  readonly #watch: RowWatch;
  /** The number of rows per table at the start. Null if the rows cannot be counted. */
  readonly #before: Map<Table, number | null>;
  /** The cascading foreign keys of the watched tables. */
  readonly #cascades: { table: string; parent: string }[];
  readonly #totalBefore: number;
  readonly #tablesBefore: Set<string>;

  constructor(handle: Handle, plan: ReachPlan) {
    this.#handle = handle;
    this.#plan = plan;
    this.#schema = schemaDigest(handle);
    const all = [...plan.own, ...plan.others];
    const isWatched = (table: Table) => ![...plan.whole, ...plan.onlyNew].includes(table) && !table.virtual;
    this.#watched = all.filter(isWatched);
    const counted = all.filter((table) => plan.replaces || table.virtual || plan.whole.includes(table));
    this.#before = new Map(counted.map((table) => [table, this.#count(table)]));
    this.#cascades = this.#watched.flatMap((table) => readCascades(handle, nameOf(table)));
    this.#watch = new RowWatch(handle, this.#watched);
    this.#totalBefore = totalChanges(handle);
    this.#tablesBefore = new Set(tableNames(handle));
  }

  /**
   * `changes`: the number of rows that the statement itself wrote, or the number of updates and deletes that the save
   * applied. `changes` does not include rows that triggers and foreign keys wrote.
   */
  loss(changes: number): Loss {
    const { own, others } = this.#plan;
    const rows = new Map([...own, ...others].map((table) => [nameOf(table), this.#lost(table, changes)]));
    const tables = [...rows].flatMap(([table, count]) =>
      count !== 0 || own.some((one) => nameOf(one) === table) ? [{ table, rows: count }] : [],
    );
    return { tables, cascades: this.#hasCascades(rows, changes), schema: this.#schema };
  }

  /**
   * A new table counts as one row and each of its rows as another, since CREATE TABLE … AS SELECT is not in SQLite's
   * change count. For a virtual table, the new rows are an upper bound: the change count includes the rows that the table
   * keeps for itself.
   */
  written({ tables }: Loss): Written {
    const changed = rowsLost(tables) ?? 0;
    const watched = this.#watched.map((table, index) => ({ table, events: this.#watch.of(index) }));
    const inserted = watched.map(({ table, events }) =>
      Math.max(0, events.inserted - this.#replaced(table, events)),
    );
    const isWatched = (name: string) => this.#watched.some((table) => nameOf(table) === name);
    const unwatched =
      totalChanges(this.#handle) -
      this.#totalBefore -
      sum(watched.map(({ events }) => events.writes)) -
      sum(tables.map(({ table, rows }) => (isWatched(table) ? 0 : (rows ?? 0))));
    const created = tableNames(this.#handle).filter((name) => !this.#tablesBefore.has(name));
    const inCreated = created.map((name) => 1 + (this.#countNamed(name) ?? 0));
    return { changed, inserted: sum(inserted) + Math.max(0, unwatched) + sum(inCreated) };
  }

  #lost(table: Table, changes: number): number | null {
    const before = this.#before.get(table) ?? null;
    if (this.#plan.commanded.includes(table)) return null;
    // An upper bound: the total includes writes to other tables, such as the shadow tables of virtual tables.
    if (this.#plan.estimated.includes(table)) return totalChanges(this.#handle) - this.#totalBefore;
    if (this.#plan.whole.includes(table)) return before;
    if (this.#plan.onlyNew.includes(table)) return 0;
    const index = this.#watched.indexOf(table);
    if (index < 0) {
      if (this.#plan.own.includes(table) && this.#plan.countsOwn) return changes;
      const after = this.#count(table);
      return before === null || after === null ? null : Math.max(0, before - after);
    }
    const events = this.#watch.of(index);
    return events.changed + this.#replaced(table, events);
  }

  /** REPLACE deletes rows without firing a trigger. These rows are gone from the table, but not counted in `deleted`. */
  #replaced(table: Table, { inserted, deleted }: RowEvents): number {
    const before = this.#before.get(table) ?? null;
    return before === null ? 0 : Math.max(0, before + inserted - deleted - (this.#count(table) ?? 0));
  }

  /**
   * Whether a foreign key may have changed or deleted rows. If the key joins two tables, rows of both must be affected.
   * If the key refers to its own table, more rows than `changes` must be affected. For a table of `cascaded`, one
   * row that `RowWatch` saw is enough. It does not see the rows that REPLACE deletes.
   */
  #hasCascades(rows: Map<string, number | null>, changes: number): boolean {
    const lost = new Map(
      [...rows].map(([name, count]) => [asciiLower(name), count ?? Number.POSITIVE_INFINITY]),
    );
    return this.#cascades.some(({ table, parent }) => {
      const [child, referred] = [lost.get(asciiLower(table)) ?? 0, lost.get(asciiLower(parent)) ?? 0];
      if (asciiLower(table) !== asciiLower(parent)) return child > 0 && referred > 0;
      const { own, cascaded } = this.#plan;
      if (cascaded.some((one) => nameOf(one) === table)) return this.#seen(table) > 0;
      return own.some((one) => nameOf(one) === table) && child > changes;
    });
  }

  #seen(table: string): number {
    return this.#watch.of(this.#watched.findIndex((one) => nameOf(one) === table)).changed;
  }

  /** Null if the table cannot be read. */
  #count(table: Table): number | null {
    return this.#countNamed(nameOf(table));
  }

  #countNamed(name: string): number | null {
    try {
      return Number(queryRows(this.#handle, sql`SELECT count(*) FROM ${identifier(name)}`)[0]![0]);
    } catch {
      return null;
    }
  }
}

export function schemaDigest(handle: Handle): string {
  const rows = queryRows(handle, sql`SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema`);
  const text = JSON.stringify(rows.map((row) => row.map(String)));
  return createHash('sha256').update(text).digest('base64url');
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function tableNames(handle: Handle): string[] {
  const rows = queryRows(handle, sql`SELECT name FROM sqlite_schema WHERE type = 'table'`);
  return rows.map(([name]) => String(name));
}

function totalChanges(handle: Handle): number {
  return Number(queryRows(handle, sql`SELECT total_changes()`)[0]![0]);
}

function nameOf(table: Table): string {
  return table.description.name;
}
