import type { ChangeOutcome, ChangeSet } from '@trestle/driver-kit';
import type { AppErrorDetails } from '../errors.ts';
import type { WindowRecordAnswer, WindowRecordChange } from './settings.ts';

/** The table of a save, or one partition of it. Only one save at a time runs on a target. */
export interface SaveTarget {
  connectionId: string;
  table: string;
  partition?: string | undefined;
}

/** One part of a save's stream to its window. The last is `done`, `error`, or a claim whose record was not written. */
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
   * The record that tells other windows about this save. The app writes it and starts the save in one step. If
   * another window wrote the record first, nothing is sent: that window may have saved or changed the same rows.
   */
  claim?: WindowRecordChange;
}

export interface UnsettledSave {
  id: string;
  startedAt: string;
  running: boolean;
  /** A change that is missing here was not sent, or is still running. */
  outcomes: ChangeOutcome[];
}

/**
 * The user's saves. The journal stores which changes were sent and their outcomes. A window that lost the stream of a
 * save, such as after a reload, asks for the outcomes. It acknowledges the save when its staged edits are updated.
 */
export interface Saves {
  /**
   * Throws `conflict` if another save runs on the same target, or if an unacknowledged save may have stored some of
   * the new rows. The save continues even if nobody reads its frames. The answer to a claim is the first frame.
   */
  start(save: SaveStart): AsyncIterable<SaveFrame>;
  /** Sends no more changes. The outcomes of sent changes still arrive. */
  cancel(id: string): void;
  /**
   * The saves that no window has acknowledged. Sent rows without an outcome are settled first, unless their save still
   * runs.
   */
  unsettled(target: SaveTarget): Promise<UnsettledSave[]>;
  acknowledge(id: string): void;
}
