import {
  type Change,
  type ChangeOutcome,
  type DriverErrorDetails,
  packWire,
  type SaveReport,
  unpackWire,
} from '@trestle/driver-kit';
import { neverAnswered, unknownOutcome, withChosenKey } from '../queries/settle-changes.ts';
import type { Row, Storage } from '../storage/storage.ts';
import type { TablePart } from '../types.ts';

export interface NotedSave {
  id: string;
  startedAt: string;
  rows: { change: Change; outcome: ChangeOutcome | null }[];
}

/** Each start of the app deletes saves that are older than this, even those that no window has acknowledged. */
const keptDays = 30;

/** Stores each change of a save before the driver sends it, and its outcome when the driver reports it. */
export class SaveJournal {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
    const oldest = new Date(Date.now() - keptDays * 86_400_000).toISOString();
    storage.run('DELETE FROM saves WHERE started_at < ?', oldest);
  }

  begin(id: string, { connectionId, table, partition }: TablePart): void {
    this.#storage.run(
      'INSERT INTO saves (id, connection_id, table_name, partition, started_at) VALUES (?, ?, ?, ?, ?)',
      id,
      connectionId,
      table,
      partition ?? null,
      new Date().toISOString(),
    );
  }

  note(id: string, report: SaveReport, changes: ReadonlyMap<string, Change>): void {
    const { sent, outcomes } = report;
    this.#storage.transaction(() => {
      for (const change of sent) this.#write(id, withChosenKey(changes.get(change)!, report), null);
      for (const outcome of outcomes) this.#write(id, changes.get(outcome.id)!, outcome);
    });
  }

  /** Oldest first. */
  of({ connectionId, table, partition }: TablePart): NotedSave[] {
    const saves = this.#storage.all(
      'SELECT id, started_at FROM saves WHERE connection_id = ? AND table_name = ? AND partition IS ? ORDER BY started_at',
      connectionId,
      table,
      partition ?? null,
    );
    return saves.map(({ id, started_at }) => ({
      id: String(id),
      startedAt: String(started_at),
      rows: this.#storage
        .all(
          'SELECT change_id, change, outcome FROM save_rows WHERE save_id = ? ORDER BY position',
          String(id),
        )
        .map(notedRow),
    }));
  }

  /** Whether a save on this target sent one of these changes and may have stored it. */
  holdsAny(target: TablePart, changes: string[]): boolean {
    const wanted = new Set(changes);
    return this.of(target).some(({ rows }) =>
      rows.some(
        ({ change, outcome }) =>
          wanted.has(change.id) && (outcome === null || ['applied', 'unknown'].includes(outcome.status)),
      ),
    );
  }

  forget(id: string): void {
    this.#storage.run('DELETE FROM saves WHERE id = ?', id);
  }

  #write(save: string, change: Change, outcome: ChangeOutcome | null): void {
    this.#storage.run(
      `INSERT INTO save_rows (save_id, change_id, change, outcome) VALUES (?, ?, ?, ?)
       ON CONFLICT (save_id, change_id) DO UPDATE SET outcome = excluded.outcome`,
      save,
      change.id,
      packWire(change),
      outcome && packWire(outcome),
    );
  }
}

/** A damaged entry counts as sent, with an unknown outcome. If it were left out, a new row could be stored twice. */
function notedRow({ change_id, change, outcome }: Row): NotedSave['rows'][number] {
  try {
    const sent = unpackWire(change as Uint8Array) as Change;
    if (sent.id !== change_id) throw new Error('Another change');
    return { change: sent, outcome: notedOutcome(outcome) };
  } catch {
    const lost: Change = { kind: 'delete', id: String(change_id), key: {} };
    return { change: lost, outcome: unknownOutcome(lost, damaged) };
  }
}

const damaged: DriverErrorDetails = {
  code: 'internal',
  message: 'Sent, but its entry in trestle.db is damaged',
  hint: 'Check whether the change was stored before you send it again.',
};

/** A damaged outcome counts as none, so the change is settled again. */
function notedOutcome(outcome: Row[string] | undefined): ChangeOutcome | null {
  try {
    return outcome === null ? null : (unpackWire(outcome as Uint8Array) as ChangeOutcome);
  } catch {
    return null;
  }
}

/** The outcome of a change that was running when Trestle ended. */
export function lostOutcome(change: Change): ChangeOutcome {
  return unknownOutcome(change, neverAnswered('Trestle ended'));
}
