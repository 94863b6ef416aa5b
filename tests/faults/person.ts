import { randomUUID } from 'node:crypto';
import {
  type Cell,
  type Change,
  type ChangeOutcome,
  type RowKey,
  type RowSet,
  rowAt,
  sameCell,
} from '@trestle/driver-kit';
import type { RandomSource } from '@trestle/driver-kit/testing/random';
import type { SharedTable } from './shared-table.ts';
import type { WindowClient } from './window-client.ts';

interface SeenRow {
  key: RowKey;
  cells: Record<string, Cell>;
}

/** Somebody who reads a table, edits cells, and saves the edits with the values that were on the screen, like a window. */
export class Person {
  readonly #window: WindowClient;
  readonly #connectionId: string;
  readonly #shared: SharedTable;
  readonly #random: RandomSource;
  #seen = new Map<string, SeenRow>();
  #staged = new Map<string, Change>();

  constructor(
    { window, connectionId }: { window: WindowClient; connectionId: string },
    shared: SharedTable,
    random: RandomSource,
  ) {
    this.#window = window;
    this.#connectionId = connectionId;
    this.#shared = shared;
    this.#random = random;
  }

  /** A cell that is set back to the value that was seen is no edit. */
  get staged(): Change[] {
    return [...this.#staged.values()].flatMap((change): Change[] => {
      if (change.kind !== 'update') return [change];
      const seen = change.expected ?? {};
      const edited = Object.keys(change.values).filter((name) => {
        const was = seen[name];
        return was === undefined || !sameCell(change.values[name] ?? null, was);
      });
      if (edited.length === 0) return [];
      const only = (cells: Record<string, Cell>) =>
        Object.fromEntries(edited.flatMap((name) => (name in cells ? [[name, cells[name]!]] : [])));
      return [{ ...change, values: only(change.values), expected: only(seen) }];
    });
  }

  /** Reads the whole table. An edit keeps the values that were seen when it began. */
  async look(): Promise<void> {
    const { table, keyColumn, columns } = this.#shared;
    const request = { table, filters: [], match: 'all', sort: [], limit: 1000, offset: 0 };
    const names = [keyColumn, ...columns.map(({ name }) => name)];
    const { rows } = (await this.#window.data('browse', {
      connectionId: this.#connectionId,
      request: { ...request, columns: names },
    })) as { rows: RowSet };
    const read = Array.from({ length: rows.rowCount }, (_, row): [string, SeenRow] => {
      const { [keyColumn]: id = null, ...cells } = rowAt(rows, row);
      return [String(id), { key: { [keyColumn]: id }, cells }];
    });
    this.#seen = new Map(read);
  }

  /** Changes one or two cells of a row on the screen, or seldom deletes the row. `value` makes a new value. */
  edit(value: (column: string) => Cell): void {
    const ids = [...this.#seen.keys()];
    if (ids.length === 0) return;
    const id = this.#random.pick(ids);
    const { key, cells } = this.#seen.get(id)!;
    const staged = this.#staged.get(id);
    if (staged?.kind === 'delete') return;
    if (this.#random.below(15) === 0) {
      this.#staged.set(id, { kind: 'delete', id, key, expected: { ...cells } });
      return;
    }
    const change = staged?.kind === 'update' ? staged : { kind: 'update' as const, id, key, values: {} };
    const { name } = this.#random.pick(this.#shared.columns.filter(({ isFixed }) => !isFixed));
    this.#staged.set(id, {
      ...change,
      values: { ...change.values, [name]: value(name) },
      // A second edit of a cell keeps what was seen before the first one.
      expected: { [name]: cells[name]!, ...change.expected },
    });
  }

  add(values: Record<string, Cell>): void {
    const id = `new ${randomUUID()}`;
    this.#staged.set(id, { kind: 'insert', id, values });
  }

  /** Saves all edits, and answers each conflict: keeps the edit for the next save, or drops it. */
  async save(): Promise<ChangeOutcome[]> {
    const changes = this.staged;
    const request = { table: this.#shared.table, changes };
    const id = randomUUID();
    const outcomes: ChangeOutcome[] = [];
    for await (const frame of this.#window.save(id, this.#connectionId, request)) {
      if ('outcomes' in frame) outcomes.push(...frame.outcomes);
      if ('error' in frame) throw new Error(`The save ended with: ${frame.error.message}`);
    }
    this.#staged.clear();
    const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
    return changes.map((change) => {
      const outcome = byId.get(change.id);
      if (!outcome) throw new Error(`The save has no outcome for ${JSON.stringify(change)}`);
      this.#follow(change, outcome);
      return outcome;
    });
  }

  #follow(change: Change, { status, theirs }: ChangeOutcome): void {
    if (change.kind === 'insert') return;
    const row = this.#seen.get(change.id);
    if (status === 'applied') {
      if (change.kind === 'delete') this.#seen.delete(change.id);
      else if (row) Object.assign(row.cells, change.values);
    }
    if (status !== 'conflict') return;
    if (!theirs) {
      this.#seen.delete(change.id);
      return;
    }
    if (row) Object.assign(row.cells, theirs);
    if (this.#random.below(2) === 0) this.#staged.set(change.id, { ...change, expected: theirs });
  }
}
