import type { DriverErrorDetails } from './errors.ts';
import type { Guarded, GuardedUse } from './guarded.ts';
import type { MaskedKinds } from './masked-kinds.ts';
import type { Outbound } from './outbound.ts';
import type { ReachLimits } from './reach.ts';
import type { Cell, RowKey } from './values.ts';
import type { Written } from './written.ts';

export type Change =
  /** `key`: an earlier try sent the row under this key and may have stored it. */
  | { kind: 'insert'; id: string; values: Record<string, Cell>; key?: RowKey }
  /** The key is null if it is missing or incomplete. The driver then skips the change. */
  | { kind: 'update'; id: string; key: RowKey | null; values: Record<string, Cell>; expected?: Expected }
  | { kind: 'delete'; id: string; key: RowKey | null; expected?: Expected };

/**
 * The cells of the row that the caller saw, by column, long ones as the kit's `briefCell`. If the row is gone, or one of
 * these cells is not as the caller saw it (`isAsSeen`), the driver does not make the change and reports a `conflict`.
 * A cell that already has the new value is no conflict. Without `expected`, the last writer wins. The driver compares
 * in the same step as it writes, or as shortly before as its database allows.
 */
export type Expected = Record<string, Cell>;

export interface ChangeSet {
  table: string;
  partition?: string;
  changes: Change[];
  /**
   * In a column of type `any` or `bytes` of a table with `mixed`, a bigint is an integer and a number is a floating-point
   * number. Without `exact`, the driver stores a whole number as an integer.
   */
  exact?: boolean;
}

export interface SaveRequest extends ChangeSet, Pick<ReachLimits, 'reach' | 'budget'> {
  /** The deadline for writing one row, or one batch of an import. Not for the whole save. */
  rowTimeoutMs: number;
  /** Columns that the caller may write but not read. The outcome of a row must not reveal their values. */
  guarded?: Guarded;
  maskedKinds?: MaskedKinds;
  outbound?: Outbound;
}

export type Insert = Extract<Change, { kind: 'insert' }>;

export interface ImportRequest extends Omit<SaveRequest, 'changes' | 'reach' | 'budget'> {
  changes: Insert[];
}

/** Changes that were sent and never answered. */
export interface SettleRequest extends ChangeSet {
  /**
   * The changes were sent a moment ago, so the database may still make them. A change that is not made yet gets the
   * outcome `unknown`, or `failed` if the database can no longer make it.
   */
  recent?: boolean;
}

/** The progress of a save since the last report. */
export interface SaveReport {
  /** The ids of the changes that are sent next. */
  sent: string[];
  /**
   * The keys that the driver chose for new rows of `sent`, by the id of the change. The app writes them down before
   * the rows are sent. If the database does not answer, the app can find the rows, and stores none twice.
   */
  keys?: Record<string, RowKey>;
  outcomes: ChangeOutcome[];
  /**
   * All rows that the save wrote, those of triggers and foreign keys included. If it is left out, each change that is
   * sent counts as one row.
   */
  written?: Written;
}

export interface ChangeOutcome {
  /** The `id` of the change. */
  id: string;
  /**
   * `unknown`: the change was sent, and it is not known whether the database made it. `conflict`: the row is not as
   * the change expects it.
   */
  status: 'applied' | 'failed' | 'skipped' | 'conflict' | 'unknown';
  /** With `conflict`: the present cells of the columns in `expected`, long ones as `briefCell`. Null if the row is gone. */
  theirs?: Record<string, Cell> | null;
  /** For an import: skipped, since a row with this key exists. */
  existing?: true;
  error?: DriverErrorDetails;
  /**
   * With `failed` or `unknown`, for an update that the driver cannot make at once: the columns that hold their new
   * values. The app no longer stages them.
   */
  stored?: string[];
  /** With `applied`: the database made the change and reports a problem with it. A whole sentence for the user. */
  warning?: string;
  /**
   * The key of an inserted row, or the new key of a row whose key changed. Also with `failed` or `unknown`: the key
   * under which a new row was sent. The next try of the row must use it.
   */
  key?: RowKey;
}

export interface ChangePreview {
  id: string;
  text: string;
}

/** How a save uses columns, apart from writing them. */
export function useOf(changes: readonly Change[]): Pick<GuardedUse, 'keys' | 'expected'> {
  const stored = changes.filter((change) => change.kind !== 'insert');
  return { keys: stored.map(({ key }) => key), expected: stored.map(({ expected }) => expected) };
}
