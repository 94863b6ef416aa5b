import type { DriverErrorDetails } from './errors.ts';
import type { ReachLimits } from './reach.ts';
import type { Cell, RowKey } from './values.ts';

export type Change =
  | { kind: 'insert'; id: string; values: Record<string, Cell> }
  /** A null key marks a row that never had one. It is skipped and logged. */
  | { kind: 'update'; id: string; key: RowKey | null; values: Record<string, Cell> }
  | { kind: 'delete'; id: string; key: RowKey | null };

export interface ChangeSet {
  table: string;
  partition?: string;
  changes: Change[];
}

export interface SaveRequest extends ChangeSet, Pick<ReachLimits, 'reach'> {
  /** The deadline of one row's request, not of the save. */
  rowTimeoutMs: number;
}

export type Insert = Extract<Change, { kind: 'insert' }>;

export interface ImportRequest extends Omit<SaveRequest, 'changes' | 'reach'> {
  changes: Insert[];
}

/** The progress of a save since the last report. */
export interface SaveReport {
  /** The ids of the changes that are sent next. */
  sent: string[];
  outcomes: ChangeOutcome[];
}

export interface ChangeOutcome {
  /** The `id` of the change. */
  id: string;
  /** `unknown`: the change was sent and never answered. */
  status: 'applied' | 'failed' | 'skipped' | 'unknown';
  /** For an import: skipped, since a row with this key exists. */
  existing?: true;
  error?: DriverErrorDetails;
  /** The key of an inserted row, or the new key of a row whose key changed. */
  key?: RowKey;
}

export interface ChangePreview {
  id: string;
  text: string;
}
