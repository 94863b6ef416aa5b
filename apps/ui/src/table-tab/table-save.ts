import { changesOf, changesSent, deletedTooLate, stagedRows } from '@trestle/core/staged-edits';
import type { ChangeOutcome, ChangeSet } from '@trestle/driver-kit';
import { createStore } from 'zustand/vanilla';
import { counted } from '../controls/text/counted.ts';
import { type ApiError, cancelSave, data, startSave, toApiError } from '../data/api/api.ts';
import { showError, showToast } from '../data/messages/toast.tsx';
import { noteStored, noteUnstored } from '../data/messages/unstored.ts';
import { type StagedStore, stagedStore } from '../data/staged/staged-store.ts';
import { addSaved, createSavedRows } from './saved-rows.ts';

interface Place {
  connectionId: string;
  table: string;
  partition: string | undefined;
}

interface SaveState {
  error: ApiError | null;
  /** A save of this window that the staged edits do not show yet. */
  starting: { id: string; total: number; at: number } | null;
  cancelling: boolean;
}

export type TableSave = ReturnType<typeof createTableSave>;

const saves = new WeakMap<StagedStore, TableSave>();

/**
 * Saves of one table (and partition), of this window and others. A save continues when its tab is closed. The app
 * settles the outcomes in the staged edits, so every window follows a save through them.
 */
export function tableSave(connectionId: string, table: string, partition: string | undefined): TableSave {
  const staged = stagedStore(connectionId, table, partition);
  let save = saves.get(staged);
  if (!save) {
    save = createTableSave(staged, { connectionId, table, partition });
    saves.set(staged, save);
  }
  return save;
}

function createTableSave(staged: StagedStore, { connectionId, table, partition }: Place) {
  const saved = createSavedRows();
  const state = createStore<SaveState>(() => ({ error: null, starting: null, cancelling: false }));
  /** Warnings about rows that the running save has stored. They are shown once, when the save ends. */
  let warnings: string[] = [];

  const clearError = () => state.getState().error && state.setState({ error: null });

  staged.listen((command, before) => {
    const { saving } = before;
    if (command.kind === 'settle' && saving?.id === command.save) {
      addSaved(saved, changesSent(saving), command.outcomes);
      sayDeletedTooLate(deletedTooLate(staged.get(), command.save, command.outcomes));
      warnings.push(...warningsIn(command.outcomes));
    }
    if (command.kind === 'end' && saving?.id === command.save) {
      sayHowItEnded(saving.total, changesSent(saving).size, state.getState().cancelling);
      sayWarnings(warnings);
      warnings = [];
      state.setState({ cancelling: false });
    }
    if (command.kind === 'looked') {
      const changes = changesOf(stagedRows({ steps: command.sent }));
      addSaved(saved, new Map(changes.map((change) => [change.id, change])), command.outcomes);
    }
  });

  /**
   * Saves exactly these changes. False if a save is already running, or if the staged edits have changed, for example
   * in another window.
   */
  const start = async (shown: ChangeSet): Promise<boolean> => {
    if (state.getState().starting || staged.get().saving) return false;
    const id = crypto.randomUUID();
    let isStarted = false;
    const starting = { id, total: shown.changes.length, at: Date.now() };
    state.setState({ error: null, starting, cancelling: false });
    try {
      const running = startSave({ id, connectionId, request: shown });
      await staged.whileStored(() => running.next());
      isStarted = true;
      await staged.flush();
      state.setState({ starting: null });
      for await (const frame of running) if ('unstored' in frame) noteUnstored(id, frame.unstored.message);
      await staged.flush();
    } catch (thrown) {
      const error = toApiError(thrown);
      if (!isStarted && error.code === 'conflict') return false;
      if (error.code !== 'cancelled') state.setState({ error });
    } finally {
      // The save may have ended although its answer broke off.
      noteStored(id);
      staged.refresh();
      state.setState({ starting: null });
      if (!staged.get().saving) state.setState({ cancelling: false });
    }
    return true;
  };

  /** Checks whether new rows without an answer were stored. A row stays unknown if the check cannot tell. */
  const lookAgain = async ({ recent = false } = {}): Promise<void> => {
    if (staged.get().unknown.length === 0) return;
    const place = { table, ...(partition !== undefined && { partition }) };
    await data('checkStaged', connectionId, { ...place, recent });
    await staged.flush();
  };

  return {
    state,
    saved,
    start,
    async cancel() {
      const id = staged.get().saving?.id ?? state.getState().starting?.id;
      if (id === undefined) return;
      state.setState({ cancelling: true });
      try {
        await cancelSave(id);
      } catch (error) {
        state.setState({ cancelling: false });
        showError('The save was not cancelled', error);
      }
    },
    /** Removes the error of the last save. Call it when the error is no longer true. */
    clearError,
    /**
     * Call it when the connection is back. Removes messages about the connection, and checks whether new rows without
     * an answer were stored.
     */
    onConnected() {
      if (isOfConnection(state.getState().error)) clearError();
      staged.change({ kind: 'forgetConnectionFailures' });
      // The user did not ask for this check, so its failure is not shown.
      lookAgain({ recent: true }).catch(() => {});
    },
    lookAgain: () => lookAgain(),
    /**
     * The table was read, so the connection works. Failed rows keep their message: it says why they are still
     * staged.
     */
    onRead() {
      if (!isOfConnection(state.getState().error)) return;
      clearError();
      lookAgain({ recent: true }).catch(() => {});
    },
  };
}

export function isOfConnection(error: ApiError | null): boolean {
  const codes = ['app_unreachable', 'connection_failed', 'not_connected', 'driver_crashed', 'timeout'];
  return error !== null && codes.includes(error.code);
}

/** A row with a warning is saved and no longer staged, so nothing else on the screen would show the warning. */
function sayWarnings(warnings: string[]): void {
  if (warnings.length === 0) return;
  showToast({
    title:
      warnings.length === 1 ? '1 row saved with a warning' : `${warnings.length} rows saved with a warning`,
    description: warnings[0]!,
    level: 'error',
  });
}

function sayHowItEnded(total: number, unsent: number, cancelled: boolean): void {
  if (!cancelled) return;
  const done = (total - unsent).toLocaleString('en');
  showToast({
    title: `Save cancelled after ${done} of ${counted(total, 'row')}`,
    description: unsent > 0 ? 'The other rows are not saved and still staged.' : undefined,
  });
}

function sayDeletedTooLate(count: number): void {
  if (count === 0) return;
  showToast({
    title: count === 1 ? 'A row was deleted before the undo' : `${count} rows were deleted before the undo`,
    description: 'The save had already sent the deletion.',
  });
}

function warningsIn(outcomes: ChangeOutcome[]): string[] {
  return outcomes.flatMap(({ warning }) => warning ?? []);
}
