import type { ChangeOutcome } from '@trestle/driver-kit';
import { beginSave, endSave, settle, settleLooked } from './settle.ts';
import {
  discardAll,
  discardCell,
  discardRows,
  forgetConnectionFailures,
  isEmpty,
  noEdits,
  redo,
  type StagedEdits,
  type Step,
  stageAll,
  undo,
} from './staged-edits.ts';

/** A change of the staged edits that a window asks for. */
export type WindowCommand =
  | { kind: 'stage'; steps: Step[] }
  | { kind: 'undo'; step: string }
  | { kind: 'redo'; step: string }
  /** Reverts the given steps. */
  | { kind: 'discard'; steps: string[] }
  | { kind: 'discardRows'; rows: string[] }
  | { kind: 'discardCell'; row: string; column: string }
  /** The connection is back, so messages that say otherwise are no longer true. */
  | { kind: 'forgetConnectionFailures' }
  /** The table is gone, and its edits with it, also the undone ones. */
  | { kind: 'clear' };

/** A change of the staged edits. Only the core adds those of a save. */
export type Command =
  | WindowCommand
  | { kind: 'begin'; save: string; rows: string[]; at: number }
  | { kind: 'settle'; save: string; outcomes: ChangeOutcome[] }
  | { kind: 'end'; save: string }
  /** A check found out what became of new rows that may have been stored. */
  | { kind: 'looked'; sent: Step[]; outcomes: ChangeOutcome[] };

/** Core and windows apply the same commands in the same order, so all have the same edits. */
export function applyCommand(edits: StagedEdits, command: Command): StagedEdits {
  switch (command.kind) {
    case 'stage':
      return stageAll(edits, command.steps);
    case 'undo':
      return undo(edits, command.step);
    case 'redo':
      return redo(edits, command.step);
    case 'discard':
      return discardAll(edits, command.steps);
    case 'discardRows':
      return discardRows(edits, command.rows);
    case 'discardCell':
      return discardCell(edits, command.row, command.column);
    case 'forgetConnectionFailures':
      return forgetConnectionFailures(edits);
    case 'clear':
      return isEmpty(edits) ? edits : noEdits;
    case 'begin':
      return beginSave(edits, command.save, command.rows, command.at);
    case 'settle':
      return settle(edits, command.save, command.outcomes);
    case 'end':
      return endSave(edits, command.save);
    case 'looked':
      return settleLooked(edits, command);
  }
}
