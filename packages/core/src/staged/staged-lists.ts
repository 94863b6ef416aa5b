import { packWire, unpackWire } from '@trestle/driver-kit';
import type { Logger } from 'pino';
import { applyCommand, type Command } from '../staged-edits/commands.ts';
import { packEdits, unpackEdits } from '../staged-edits/packed-edits.ts';
import { countStaged, isEmpty, noEdits, type StagedEdits, stagedRows } from '../staged-edits/staged-edits.ts';
import type { Row, Storage } from '../storage/storage.ts';
import type { StagedCommand, TablePart } from '../types.ts';

/** A command in the order in which it took effect. */
export interface Entry {
  command: Command;
  /** The window that sent the command, and the number that the window gave it. */
  from?: { window: string; number: number };
}

export interface StagedList {
  readonly edits: StagedEdits;
  /** The revision of the last command. Revisions only grow, also across lists. 0: the table never had edits. */
  readonly revision: number;
  /** How many rows are staged. */
  readonly count: number;
  /** The number of the last command of each window. A window sends a command again if it got no answer. */
  readonly numbers: ReadonlyMap<string, number>;
}

interface Stored extends StagedList {
  /** In `staged_lists`. */
  id: number;
  /** The last commands, for windows that missed only these. */
  tail: { revision: number; entry: Entry; bytes: number }[];
  /** The revision before the first command of `tail`. */
  tailFrom: number;
  /** The commands in the file since the edits were last stored as a whole. */
  written: { count: number; bytes: number };
  wholeBytes: number;
}

/** A window that missed more commands than these gets the whole list. */
const mostTail = { commands: 256, bytes: 4_000_000 };
/** After this many commands the edits are stored as a whole. A start then need not apply all commands again. */
const mostWritten = { commands: 512, bytes: 1_000_000 };
/** The numbers of this many windows are kept. */
const mostWindows = 100;
/** An empty list still has the numbers of its windows. A window that was closed for so long does not come back. */
const keptDays = 30;

/**
 * The staged edits of each table (and partition) in `trestle.db`: the edits as they were once, and the commands since
 * then. A command is on the disk when `commit` returns.
 */
export class StagedLists {
  readonly #storage: Storage;
  readonly #log: Logger;
  readonly #onCommit: (table: TablePart, list: StagedList) => void;
  readonly #lists = new Map<string, Stored>();

  constructor(options: {
    storage: Storage;
    log: Logger;
    onCommit: (table: TablePart, list: StagedList) => void;
  }) {
    this.#storage = options.storage;
    this.#log = options.log;
    this.#onCommit = options.onCommit;
    const oldest = new Date(Date.now() - keptDays * 86_400_000).toISOString();
    this.#storage.run('DELETE FROM staged_lists WHERE is_empty = 1 AND changed_at < ?', oldest);
  }

  /** All tables with staged rows. */
  counts(): (TablePart & { count: number })[] {
    return this.#storage
      .all('SELECT connection_id, table_name, partition, row_count FROM staged_lists WHERE row_count > 0')
      .map((row) => ({ ...tableOf(row), count: Number(row.row_count) }));
  }

  get(table: TablePart): StagedList {
    return this.#known(table) ?? emptyList;
  }

  /** The commands after this revision; null if they are no longer known. */
  since(table: TablePart, revision: number): Entry[] | null {
    const list = this.#known(table);
    if (revision === (list?.revision ?? 0)) return [];
    if (!list || revision < list.tailFrom || revision > list.revision) return null;
    return list.tail.filter((one) => one.revision > revision).map(({ entry }) => entry);
  }

  /**
   * Applies the commands and stores them, together with what `also` writes. If that fails, nothing has changed. The
   * edits of a connection that is gone are not stored.
   */
  commit(table: TablePart, entries: Entry[], also: () => void = () => {}): void {
    if (this.#isGone(table)) return;
    const before = this.#known(table);
    const edits = entries.reduce((now, { command }) => applyCommand(now, command), before?.edits ?? noEdits);
    const numbers = new Map(before?.numbers);
    for (const { from } of entries) {
      if (!from) continue;
      numbers.delete(from.window);
      numbers.set(from.window, from.number);
    }
    for (const window of [...numbers.keys()].slice(0, -mostWindows)) numbers.delete(window);
    const { total: count } = countStaged(stagedRows(edits));
    const next = this.#storage.transaction(() => {
      const list = before ?? this.#create(table);
      const packed = entries.map((entry) => packWire(entry));
      const revisions = packed.map(
        (bytes) =>
          this.#storage.run('INSERT INTO staged_commands (list_id, command) VALUES (?, ?)', list.id, bytes)
            .lastInsertRowid,
      );
      const added = entries.map((entry, at) => ({
        entry,
        revision: revisions[at]!,
        bytes: packed[at]!.length,
      }));
      const stored: Stored = {
        ...list,
        ...{ edits, numbers, count, revision: revisions.at(-1) ?? list.revision },
        ...tailWith(list, added),
        written: writtenWith(list.written, added),
      };
      this.#storage.run(
        'UPDATE staged_lists SET row_count = ?, is_empty = ?, changed_at = ? WHERE id = ?',
        count,
        isEmpty(edits) ? 1 : 0,
        new Date().toISOString(),
        list.id,
      );
      also();
      const { written } = stored;
      const isDue =
        written.count > mostWritten.commands ||
        written.bytes > Math.max(mostWritten.bytes, stored.wholeBytes);
      return isDue ? this.#storeWhole(stored) : stored;
    });
    this.#lists.set(keyOf(table), next);
    this.#onCommit(table, next);
  }

  /** Adds the edits that an earlier version stored, together with what `also` writes. */
  adopt(table: TablePart, edits: StagedEdits, also: () => void): void {
    if (this.#known(table)) {
      const entry: Entry = { command: { kind: 'stage', steps: edits.steps } };
      this.commit(table, [entry], also);
      return;
    }
    this.#storage.transaction(() => {
      also();
      if (this.#isGone(table) || isEmpty(edits)) return;
      const list = this.#create(table);
      const { total: count } = countStaged(stagedRows(edits));
      this.#storage.run('UPDATE staged_lists SET row_count = ?, is_empty = 0 WHERE id = ?', count, list.id);
      this.#storeWhole({ ...list, edits });
    });
  }

  #storeWhole(list: Stored): Stored {
    const whole = packWire({ edits: packEdits(list.edits), numbers: [...list.numbers] } satisfies Whole);
    this.#storage.run(
      'UPDATE staged_lists SET revision = ?, whole = ? WHERE id = ?',
      list.revision,
      whole,
      list.id,
    );
    this.#storage.run('DELETE FROM staged_commands WHERE list_id = ?', list.id);
    return { ...list, written: { count: 0, bytes: 0 }, wholeBytes: whole.length };
  }

  /** Its first revision is that of a command which is not kept. */
  #create({ connectionId, table, partition }: TablePart): Stored {
    const whole = packWire({ edits: packEdits(noEdits), numbers: [] } satisfies Whole);
    const { lastInsertRowid } = this.#storage.run(
      `INSERT INTO staged_lists (connection_id, table_name, partition, row_count, is_empty, revision, changed_at, whole)
       VALUES (?, ?, ?, 0, 1, 0, ?, ?)`,
      connectionId,
      table,
      partition ?? null,
      new Date().toISOString(),
      whole,
    );
    return { ...emptyList, id: lastInsertRowid, ...nothingWritten, wholeBytes: whole.length };
  }

  #known(table: TablePart): Stored | undefined {
    const key = keyOf(table);
    if (this.#isGone(table)) this.#lists.delete(key);
    const known = this.#lists.get(key);
    if (known) return known;
    const row = this.#storage.get(
      `SELECT id, revision, whole FROM staged_lists
       WHERE connection_id = ? AND table_name = ? AND partition IS ?`,
      table.connectionId,
      table.table,
      table.partition ?? null,
    );
    if (!row) return undefined;
    const read = this.#read(row);
    this.#lists.set(key, read);
    return read;
  }

  #read({ id, revision, whole }: Row): Stored {
    const start = this.#unpackWhole(whole as Uint8Array);
    const commands = this.#storage.all(
      'SELECT revision, command FROM staged_commands WHERE list_id = ? ORDER BY revision',
      Number(id),
    );
    const added = commands.flatMap(({ revision, command }) => {
      const entry = this.#unpackEntry(command as Uint8Array);
      return entry ? [{ revision: Number(revision), entry, bytes: (command as Uint8Array).length }] : [];
    });
    const numbers = new Map(start.numbers);
    for (const { entry } of added) if (entry.from) numbers.set(entry.from.window, entry.from.number);
    const edits = added.reduce((now, { entry }) => applyCommand(now, entry.command), start.edits);
    const list: Stored = {
      ...{ id: Number(id), edits, numbers, count: countStaged(stagedRows(edits)).total },
      ...{ revision: Number(revision), ...nothingWritten, tailFrom: Number(revision) },
      wholeBytes: (whole as Uint8Array).length,
    };
    return {
      ...list,
      revision: Number(commands.at(-1)?.revision ?? revision),
      ...tailWith(list, added),
      written: writtenWith(list.written, added),
    };
  }

  /** Unreadable edits are dropped: they must not prevent a table from opening. */
  #unpackWhole(bytes: Uint8Array): { edits: StagedEdits; numbers: Whole['numbers'] } {
    try {
      const { edits, numbers } = unpackWire(bytes) as Whole;
      const unpacked = unpackEdits(edits);
      if (unpacked) return { edits: unpacked, numbers };
    } catch {
      // As below.
    }
    this.#log.error('Staged edits in trestle.db are damaged');
    return { edits: noEdits, numbers: [] };
  }

  #unpackEntry(bytes: Uint8Array): Entry | null {
    try {
      const entry = unpackWire(bytes) as Entry;
      applyCommand(noEdits, entry.command);
      return entry;
    } catch {
      this.#log.error('A staged edit in trestle.db is damaged');
      return null;
    }
  }

  #isGone({ connectionId }: TablePart): boolean {
    return this.#storage.get('SELECT 1 FROM connections WHERE id = ?', connectionId) === undefined;
  }
}

interface Whole {
  edits: Uint8Array;
  numbers: [string, number][];
}

const emptyList: StagedList = { edits: noEdits, revision: 0, count: 0, numbers: new Map() };
const nothingWritten: Pick<Stored, 'tail' | 'tailFrom' | 'written'> = {
  tail: [],
  tailFrom: 0,
  written: { count: 0, bytes: 0 },
};

function tailWith(list: Stored, added: Stored['tail']): Pick<Stored, 'tail' | 'tailFrom'> {
  const all = [...list.tail, ...added];
  let bytes = 0;
  let from = all.length;
  while (from > 0 && all.length - from < mostTail.commands) {
    bytes += all[from - 1]!.bytes;
    if (bytes > mostTail.bytes) break;
    from--;
  }
  return { tail: all.slice(from), tailFrom: all[from - 1]?.revision ?? list.tailFrom };
}

function writtenWith(written: Stored['written'], added: Stored['tail']): Stored['written'] {
  return {
    count: written.count + added.length,
    bytes: added.reduce((sum, { bytes }) => sum + bytes, written.bytes),
  };
}

/** A window needs no copy of a command that it sent itself. */
export function withoutOwn({ command, from }: Entry, window: string): StagedCommand {
  return from?.window === window ? { own: from.number } : { command };
}

export function keyOf({ connectionId, table, partition }: TablePart): string {
  return JSON.stringify([connectionId, table, partition ?? null]);
}

function tableOf({ connection_id, table_name, partition }: Row): TablePart {
  return {
    connectionId: String(connection_id),
    table: String(table_name),
    ...(partition !== null && { partition: String(partition) }),
  };
}
