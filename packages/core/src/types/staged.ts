import type { Change } from '@trestle/driver-kit';
import type { AppErrorDetails } from '../errors.ts';
import type { Command, WindowCommand } from '../staged-edits/commands.ts';

/** A table, or one partition of it. It has one list of staged edits, and only one save at a time runs on it. */
export interface TablePart {
  connectionId: string;
  table: string;
  partition?: string | undefined;
}

export interface StagedRequest {
  /** The revision that the window knows; null if it knows none. */
  since: number | null;
  /** A name that the page of the window gave itself. */
  window: string;
  /** The number of the first command. The window numbers its commands from 1, in the order of the user's acts. */
  first: number;
  commands: WindowCommand[];
}

/** `own`: the number of a command that the asking window sent. */
export type StagedCommand = { command: Command } | { own: number };

export type StagedNews = {
  revision: number;
  /** The number of the window's last command that took effect. */
  applied: number;
} & (
  | { commands: StagedCommand[] }
  /** Packed edits, if the window knows none or missed too many commands. */
  | { whole: Uint8Array }
);

export interface StagedSave {
  /** The window chooses it. */
  id: string;
  /** Exactly these are saved. The user has seen them. */
  changes: Change[];
}

/**
 * One part of a save's stream to its window. The last is `done` or `error`. `unstored`: all changes were sent or stopped,
 * and the app tries to store their outcomes until it can.
 */
export type SaveFrame =
  | { started: true }
  | { unstored: AppErrorDetails }
  | { done: true }
  | { error: AppErrorDetails };

/** The user's edits that are not saved yet. The core has the list of each table. Windows show it and send commands. */
export interface Staged {
  /** How many rows are staged, for each table that has any. */
  counts(): (TablePart & { count: number })[];
  /**
   * Applies the window's commands in their order, except those that it has applied before, and answers what changed
   * since the window's revision. If rows of an interrupted save have no outcome, begins to ask the database for it.
   */
  sync(table: TablePart, request: StagedRequest): StagedNews;
  /**
   * Saves these changes and settles their outcomes in the list. Starts nothing if a save of the table is running, or if
   * the staged changes are others: then the only frame is an error with the code `conflict`. The save continues even if
   * nobody reads its frames.
   */
  save(table: TablePart, save: StagedSave): AsyncIterable<SaveFrame>;
  /** Sends no more changes of a save. It may arrive before its save. */
  cancel(id: string): void;
  /**
   * Asks the database whether new rows without an answer were stored. `recent`: the check is automatic and may come too
   * soon, so a missing row stays unknown while the database may still store it.
   */
  check(table: TablePart, options: { recent: boolean }): Promise<void>;
}
