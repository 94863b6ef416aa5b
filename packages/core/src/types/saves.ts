import type { ChangeOutcome, ChangeSet } from '@trestle/driver-kit';
import type { AppErrorDetails } from '../errors.ts';
import type { WindowRecordAnswer, WindowRecordChange } from './settings.ts';

/** Where the rows of a save are. One save at a time runs on each. */
export interface SaveTarget {
  connectionId: string;
  table: string;
  partition?: string | undefined;
}

/** A save as its window follows it; `done`, `error` or a claim that was not written is the last frame. */
export type SaveFrame =
  | { claim: WindowRecordAnswer }
  | { outcomes: ChangeOutcome[] }
  | { done: true }
  | { error: AppErrorDetails };

export interface SaveStart {
  id: string;
  connectionId: string;
  changes: ChangeSet;
  /**
   * The record that tells the windows of this save. The app writes it and starts the save in one step. Where another
   * window wrote the record first, nothing is sent: that window may have saved or changed the same rows.
   */
  claim?: WindowRecordChange;
}

export interface UnsettledSave {
  id: string;
  startedAt: string;
  running: boolean;
  /** A change that is not among them was not sent, or is under way while the save runs. */
  outcomes: ChangeOutcome[];
}

/**
 * Saves of the person. Each is written down as it goes: which changes were sent and what became of them. A window
 * that lost sight of a save asks for its outcomes, and acknowledges it when its staged edits have taken them over.
 */
export interface Saves {
  /**
   * Throws `conflict` where another save of the same target runs. Goes on to the end when nobody reads. The answer to
   * a claim is the first frame.
   */
  start(save: SaveStart): AsyncIterable<SaveFrame>;
  /** Sends no more of it. The outcomes of what was sent still come. */
  cancel(id: string): void;
  /** Rows that were under way when the app ended are looked at first. */
  unsettled(target: SaveTarget): Promise<UnsettledSave[]>;
  acknowledge(id: string): void;
}
