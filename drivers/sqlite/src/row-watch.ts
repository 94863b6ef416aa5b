import type { Handle } from './handle.ts';
import { quoteIdentifier } from './sql.ts';
import type { Table } from './table.ts';
import type { Stored } from './values.ts';

export interface RowEvents {
  /**
   * Existing rows that were changed or deleted. Without an identity, or above `mostRemembered`, a row may count more
   * than once.
   */
  changed: number;
  inserted: number;
  deleted: number;
  /** All inserts, updates and deletes. */
  writes: number;
}

/**
 * Temporary triggers on the given tables. They report the rows that a statement, a trigger or a foreign key inserts,
 * updates or deletes. They do not report rows that REPLACE deletes. SQLite drops the triggers at a rollback, or when
 * the handle closes.
 */
export class RowWatch {
  readonly #counters: Counter[];

  constructor(handle: Handle, tables: Table[]) {
    this.#counters = tables.map(() => new Counter());
    if (tables.length === 0) return;
    // The function is registered after the statement was compiled, so the statement cannot call the function.
    handle.db.function(
      functionName,
      { varargs: true, useBigIntArguments: true },
      (index: Stored, event: Stored, ...identity: Stored[]) => {
        this.#counters[Number(index)]!.note(String(event), identity);
        return null;
      },
    );
    for (const [index, table] of tables.entries()) {
      const identity = identityOf(table);
      const rows = {
        insert: identity.map((name) => `new.${name}`),
        update: identity.flatMap((name) => [`old.${name}`, `new.${name}`]),
        delete: identity.map((name) => `old.${name}`),
      };
      for (const [event, values] of Object.entries(rows)) {
        const given = [`${index}`, `'${event}'`, ...values].join(', ');
        handle.db.exec(
          `CREATE TEMP TRIGGER "${functionName} ${index} ${event}" AFTER ${event} ON main.${quoteIdentifier(table.description.name)} BEGIN SELECT ${functionName}(${given}); END`,
        );
      }
    }
  }

  of(index: number): RowEvents {
    return this.#counters[index]!;
  }
}

const functionName = 'trestle_reached';

/**
 * How many rows are remembered, to limit memory. After this many, each update or delete of a row that is not remembered
 * counts as another row.
 */
const mostRemembered = 100_000;

class Counter implements RowEvents {
  inserted = 0;
  deleted = 0;
  writes = 0;
  readonly #new = new Set<string>();
  readonly #changed = new Set<string>();
  #beyond = 0;

  get changed(): number {
    return this.#changed.size + this.#beyond;
  }

  note(event: string, identity: Stored[]): void {
    this.writes++;
    if (event === 'insert') {
      this.inserted++;
      this.#remember(this.#new, identity);
      return;
    }
    if (event === 'delete') this.deleted++;
    const before = event === 'update' ? identity.filter((_, index) => index % 2 === 0) : identity;
    if (identity.length === 0) this.#beyond++;
    else if (!this.#new.has(keyOf(before))) this.#beyond += this.#remember(this.#changed, before) ? 0 : 1;
    else if (event === 'update')
      this.#remember(
        this.#new,
        identity.filter((_, index) => index % 2 === 1),
      );
  }

  #remember(rows: Set<string>, identity: Stored[]): boolean {
    if (identity.length === 0) return true;
    const key = keyOf(identity);
    if (rows.has(key)) return true;
    if (rows.size >= mostRemembered) return false;
    rows.add(key);
    return true;
  }
}

function keyOf(identity: Stored[]): string {
  // JSON escapes the values, so two different keys never become the same text.
  return JSON.stringify(identity.map((value) => [typeof value, String(value)]));
}

/**
 * The columns that identify a row: the rowid, else the primary key, else none. If there are none, each update or delete
 * counts as another row.
 */
function identityOf({ rowid, description }: Table): string[] {
  if (rowid !== null) return [quoteIdentifier(rowid)];
  return description.key.map(quoteIdentifier);
}
