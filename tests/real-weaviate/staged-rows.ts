import { randomUUID } from 'node:crypto';
import type { Change, ChangeOutcome } from '@trestle/driver-kit';
import type { WindowClient } from '../faults/window-client.ts';

interface Place {
  connectionId: string;
  table: string;
}

/** New rows as a window stages them. Each save sends the rows that are neither stored nor of unknown outcome. */
export class StagedRows {
  readonly applied = new Set<number>();
  /** Rows that were sent, with an unknown outcome. A window asks the user before it sends these rows again. */
  readonly unknown = new Set<number>();
  readonly #waiting = new Map<string, number>();
  readonly #place: Place;

  constructor(place: Place, count: number) {
    this.#place = place;
    for (let ordinal = 0; ordinal < count; ordinal++) this.#waiting.set(`new ${ordinal}`, ordinal);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Saves the waiting rows. Returns the error code if the save ended early. */
  async save(
    window: WindowClient,
    options: { id?: string; signal?: AbortSignal } = {},
  ): Promise<string | undefined> {
    const { connectionId, table } = this.#place;
    const { id = randomUUID(), signal } = options;
    const changes = Array.from(
      this.#waiting,
      ([change, ordinal]): Change => ({ kind: 'insert', id: change, values: { ordinal } }),
    );
    for await (const frame of window.save(id, connectionId, { table, changes }, signal)) {
      if ('outcomes' in frame) this.#settle(frame.outcomes);
      else {
        await window.data('acknowledgeSave', { connectionId, request: { id } });
        return 'error' in frame ? frame.error.code : undefined;
      }
    }
    throw new Error('The save ended without a last frame');
  }

  /** Like a reloaded window: waits until no save of the table runs, and takes over the outcomes of unsettled saves. */
  async takeOver(window: WindowClient): Promise<void> {
    const { connectionId, table } = this.#place;
    for (;;) {
      const saves = (await window.data('unsettledSaves', { connectionId, request: { table } })) as {
        id: string;
        running: boolean;
        outcomes: ChangeOutcome[];
      }[];
      for (const { id, running, outcomes } of saves) {
        if (running) continue;
        this.#settle(outcomes);
        await window.data('acknowledgeSave', { connectionId, request: { id } });
      }
      if (saves.every(({ running }) => !running)) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  #settle(outcomes: ChangeOutcome[]): void {
    for (const { id, status } of outcomes) {
      const ordinal = this.#waiting.get(id);
      if (ordinal === undefined || status === 'failed') continue;
      this.#waiting.delete(id);
      (status === 'unknown' ? this.unknown : this.applied).add(ordinal);
    }
  }
}
