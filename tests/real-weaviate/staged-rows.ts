import { randomUUID } from 'node:crypto';
import { stagedRows } from '@trestle/core/staged-edits';
import { stepsFor } from '../../packages/core/src/staged-edits/testing/steps-for.ts';
import type { WindowClient } from '../faults/window-client.ts';

interface Place {
  connectionId: string;
  table: string;
}

/** New rows that a window stages. Each save sends the rows that are neither stored nor of unknown outcome. */
export class StagedRows {
  readonly applied = new Set<number>();
  /** Rows that were sent, with an unknown outcome. A window asks the user before it sends these rows again. */
  readonly unknown = new Set<number>();
  readonly #ordinals: Map<string, number>;
  readonly #place: Place;
  #isStaged = false;

  constructor(place: Place, count: number) {
    this.#place = place;
    this.#ordinals = new Map(Array.from({ length: count }, (_, ordinal) => [`new ${ordinal}`, ordinal]));
  }

  get waiting(): number {
    return this.#ordinals.size - this.applied.size - this.unknown.size;
  }

  /** Saves the waiting rows. Returns the error code if the save ended early. */
  async save(
    window: WindowClient,
    options: { id?: string; signal?: AbortSignal } = {},
  ): Promise<string | undefined> {
    const { id = randomUUID(), signal } = options;
    const edits = await this.#open(window);
    if (!this.#isStaged) {
      const rows = [...this.#ordinals];
      const steps = stepsFor(rows.map(([id, ordinal]) => ({ kind: 'insert', id, values: { ordinal } })));
      await edits.send({ kind: 'stage', steps });
      this.#isStaged = true;
    }
    const rows = [...this.#ordinals.keys()].filter((row) => !edits.edits.unknown.includes(row));
    for await (const frame of edits.save(id, rows, signal)) {
      if ('outcomes' in frame) continue;
      this.#count(edits.edits);
      return 'error' in frame ? frame.error.code : undefined;
    }
    throw new Error('The save ended without a last frame');
  }

  /** Like a reloaded window: waits until no save of the table runs. */
  async takeOver(window: WindowClient): Promise<void> {
    const edits = await this.#open(window);
    await edits.settled();
    this.#count(edits.edits);
  }

  #open(window: WindowClient) {
    const { connectionId, table } = this.#place;
    return window.staged(connectionId, { table });
  }

  #count(edits: Parameters<typeof stagedRows>[0] & { unknown: string[] }): void {
    const { inserted } = stagedRows(edits);
    this.unknown.clear();
    for (const [row, ordinal] of this.#ordinals) {
      if (edits.unknown.includes(row)) this.unknown.add(ordinal);
      else if (!inserted.has(row) && this.#isStaged) this.applied.add(ordinal);
    }
  }
}
