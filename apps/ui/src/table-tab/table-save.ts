import type { ChangeOutcome, ChangeSet } from '@trestle/driver-kit';
import { createStore } from 'zustand/vanilla';
import {
  type ApiError,
  acknowledgeSave,
  cancelSave,
  saveChanges,
  toApiError,
  unsettledSaves,
} from '../shared/api.ts';
import { showError, showToast } from '../shared/toast.tsx';
import { addSaved, createSavedRows } from './saved-rows.ts';
import { beginSave, changesSent, deletedTooLate, endSave, settle } from './settle.ts';
import { changesOf, forgetConnectionFailures, stagedRows } from './staged-edits.ts';
import { stagedStore } from './staged-store.ts';

/** Outcomes are taken in together: each time costs a look at every staged row. */
const takeEveryMs = 100;
const watchEveryMs = 700;
/** A save that the app does not know after so many looks was never sent: its window went away before that. */
const looksBeforeGone = 8;

export type TableSave = ReturnType<typeof createTableSave>;

const saves = new Map<string, TableSave>();

/** Saves of one table (and tenant). They outlive the tab, and go on in another window where this one is closed. */
export function tableSave(connectionId: string, table: string, partition: string | undefined): TableSave {
  const key = JSON.stringify([connectionId, table, partition]);
  let save = saves.get(key);
  if (!save) {
    save = createTableSave(connectionId, table, partition);
    saves.set(key, save);
  }
  return save;
}

function createTableSave(connectionId: string, table: string, partition: string | undefined) {
  const staged = stagedStore(connectionId, table, partition);
  const target = { table, ...(partition !== undefined && { partition }) };
  const saved = createSavedRows();
  const state = createStore<{ error: ApiError | null; cancelling: boolean }>(() => ({
    error: null,
    cancelling: false,
  }));
  /** The save that this window sent and reads to its end. */
  let own: string | null = null;
  let watching = false;

  const clearError = () => state.getState().error && state.setState({ error: null });
  const fail = (error: ApiError) => state.setState({ error });

  const take = (id: string, outcomes: ChangeOutcome[]) => {
    const edits = staged.get();
    if (edits.saving?.id !== id || outcomes.length === 0) return;
    const late = deletedTooLate(edits, id, outcomes);
    addSaved(saved, changesSent(edits.saving), outcomes);
    staged.settle((now) => settle(now, id, outcomes));
    if (late > 0) {
      showToast({
        title: late === 1 ? 'A row was deleted before the undo' : `${late} rows were deleted before the undo`,
        description: 'The save had sent it already.',
      });
    }
  };

  /** The outcomes are in the staged edits before the journal of the app forgets them. */
  const end = async (id: string) => {
    const { saving } = staged.get();
    if (saving?.id === id) sayHowItEnded(saving.total, changesSent(saving).size, state.getState().cancelling);
    staged.change((now) => endSave(now, id));
    state.setState({ cancelling: false });
    try {
      await staged.flush();
      await acknowledgeSave(connectionId, id);
    } catch {
      // The app is gone. The save is settled once more when it is back, which changes nothing.
    }
  };

  const send = async (id: string, request: ChangeSet) => {
    let waiting: ChangeOutcome[] = [];
    const takeWaiting = () => {
      take(id, waiting);
      waiting = [];
    };
    const timer = setInterval(takeWaiting, takeEveryMs);
    try {
      for await (const outcomes of saveChanges(id, connectionId, request)) waiting.push(...outcomes);
    } finally {
      clearInterval(timer);
      takeWaiting();
    }
  };

  /**
   * Saves the changes, exactly these. False where they are no longer what is staged: another window changed them, or
   * saves already.
   */
  const start = async (shown: ChangeSet): Promise<boolean> => {
    if (staged.get().saving) return false;
    const id = crypto.randomUUID();
    state.setState({ error: null, cancelling: false });
    const rows = shown.changes.map((change) => change.id);
    own = id;
    let isSent = false;
    try {
      staged.change((now) => beginSave(now, id, rows));
      await staged.flush();
      const { saving } = staged.get();
      if (saving?.id !== id) return false;
      const changes = changesOf(stagedRows({ steps: saving.sent }));
      if (!sameChanges(changes, shown.changes)) {
        staged.change((now) => endSave(now, id));
        return false;
      }
      isSent = true;
      await send(id, shown);
      await end(id);
    } catch (thrown) {
      const error = toApiError(thrown);
      // The app may have saved more than it could tell: its journal says so when it is back.
      if (!isSent) staged.change((now) => endSave(now, id));
      else if (error.code !== 'app_unreachable') await end(id);
      if (error.code !== 'cancelled') fail(error);
    } finally {
      own = null;
      void watch();
    }
    return true;
  };

  /** Follows a save that another window sent, or that outlived the page that sent it, and settles it. */
  const watch = async () => {
    if (watching) return;
    watching = true;
    let misses = 0;
    try {
      for (;;) {
        const { saving } = staged.get();
        if (!saving || saving.id === own) return;
        const found = await look(saving.id);
        if (found === 'unreachable') misses = 0;
        else if (found) {
          misses = 0;
          take(saving.id, found.outcomes);
          if (!found.running) await end(saving.id);
        } else if (++misses >= looksBeforeGone) staged.change((now) => endSave(now, saving.id));
        await new Promise((resolve) => setTimeout(resolve, watchEveryMs));
      }
    } finally {
      watching = false;
    }
  };

  const look = async (id: string) => {
    try {
      const found = await unsettledSaves(connectionId, target);
      // An earlier page's save is settled: the staged edits took it in before they ended the save.
      for (const save of found) {
        if (save.id !== id && save.id !== own && !save.running) await acknowledgeSave(connectionId, save.id);
      }
      return found.find((save) => save.id === id);
    } catch {
      return 'unreachable' as const;
    }
  };

  staged.store.subscribe(({ edits }) => {
    if (edits.saving && edits.saving.id !== own) void watch();
  });
  void watch();
  if (!staged.get().saving) void look('');

  return {
    state,
    saved,
    start,
    async cancel() {
      const { saving } = staged.get();
      if (!saving) return;
      state.setState({ cancelling: true });
      try {
        await cancelSave(saving.id);
      } catch (error) {
        state.setState({ cancelling: false });
        showError('The save was not cancelled', error);
      }
    },
    /** The message of the last save no longer holds. */
    clearError,
    /** The connection is back: what the last save said about it no longer holds, of itself and of its rows. */
    onConnected() {
      if (isOfConnection(state.getState().error)) clearError();
      staged.change(forgetConnectionFailures);
    },
    /** Rows were read, so the connection works. Rows that failed keep their message: it says why they are here. */
    onRead() {
      if (isOfConnection(state.getState().error)) clearError();
    },
  };
}

function isOfConnection(error: ApiError | null): boolean {
  const codes = ['app_unreachable', 'connection_failed', 'not_connected', 'driver_crashed', 'timeout'];
  return error !== null && codes.includes(error.code);
}

function sayHowItEnded(total: number, unsent: number, cancelled: boolean): void {
  if (!cancelled) return;
  const done = (total - unsent).toLocaleString('en');
  showToast({
    title: `Save cancelled after ${done} of ${total.toLocaleString('en')} rows`,
    description: unsent > 0 ? 'The others are still here, not saved.' : undefined,
  });
}

export function sameChanges(one: ChangeSet['changes'], other: ChangeSet['changes']): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  return textOf(one) === textOf(other);
}

function textOf(changes: ChangeSet['changes']): string {
  return JSON.stringify(changes, (_, value) => {
    if (typeof value === 'bigint') return `${value}n`;
    return value instanceof Uint8Array ? [...value] : value;
  });
}
