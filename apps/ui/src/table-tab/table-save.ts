import type { ChangeOutcome, ChangeSet } from '@trestle/driver-kit';
import { createStore } from 'zustand/vanilla';
import { counted } from '../controls/text/counted.ts';
import {
  type ApiError,
  acknowledgeSave,
  cancelSave,
  lookAtChanges,
  type StartedSave,
  startSave,
  toApiError,
  unsettledSaves,
} from '../data/api/api.ts';
import { showError, showToast } from '../data/messages/toast.tsx';
import { createSaveWarnings } from './save-warnings.ts';
import { addSaved, createSavedRows } from './saved-rows.ts';
import { beginSave, changesSent, deletedTooLate, endSave, settle, settleLooked } from './settle.ts';
import { changesOf, forgetConnectionFailures, type StagedEdits, stagedRows } from './staged-edits.ts';
import { stagedStore } from './staged-store.ts';

/** Outcomes are collected and applied together, since applying them checks every staged row. */
const takeEveryMs = 100;
const watchEveryMs = 700;

interface SaveState {
  error: ApiError | null;
  /** A save of this window that the app has not started yet. */
  starting: { total: number; at: number } | null;
  cancelling: boolean;
}

export type TableSave = ReturnType<typeof createTableSave>;

const saves = new Map<string, TableSave>();

/**
 * Saves of one table (and partition). A save continues when its tab is closed. If this window is closed, the app
 * continues the save, and another window can follow it.
 */
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
  const state = createStore<SaveState>(() => ({ error: null, starting: null, cancelling: false }));
  /** The save that this window sent and whose outcomes it reads. */
  let own: string | null = null;
  const warnings = createSaveWarnings();
  let watching = false;
  let looking: Promise<void> | null = null;

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
        description: 'The save had already sent the deletion.',
      });
    }
    warnings.note(id, outcomes);
  };

  /** The outcomes are stored in the staged edits before the app's journal forgets them. */
  const end = async (id: string) => {
    const { saving } = staged.get();
    if (saving?.id === id) sayHowItEnded(saving.total, changesSent(saving).size, state.getState().cancelling);
    sayWarnings(warnings.take(id));
    staged.change((now) => endSave(now, id));
    state.setState({ cancelling: false });
    try {
      await staged.flush();
      await acknowledgeSave(connectionId, id);
    } catch {
      // The app is unreachable or could not store the staged edits. Its journal keeps the outcomes until a window has
      // stored them.
    }
  };

  const follow = async (id: string, outcomes: AsyncIterable<ChangeOutcome[]>) => {
    let waiting: ChangeOutcome[] = [];
    const takeWaiting = () => {
      take(id, waiting);
      waiting = [];
    };
    const timer = setInterval(takeWaiting, takeEveryMs);
    try {
      for await (const some of outcomes) waiting.push(...some);
    } finally {
      clearInterval(timer);
      takeWaiting();
    }
  };

  /** Starts a save of exactly these changes; null if the staged edits have changed or are being saved. */
  const claim = async (id: string, shown: ChangeSet): Promise<StartedSave | null> => {
    const rows = shown.changes.map((change) => change.id);
    let started: StartedSave | null = null;
    const begin = (now: StagedEdits) => {
      if (now.saving) return null;
      const next = beginSave(now, id, rows);
      return sameChanges(changesOf(stagedRows({ steps: next.saving?.sent ?? [] })), shown.changes)
        ? next
        : null;
    };
    const isClaimed = await staged.claim(begin, async (record) => {
      started = await startSave({ id, connectionId, request: shown, claim: record });
      return started.claim;
    });
    return isClaimed ? started : null;
  };

  /**
   * Saves exactly these changes. False if a save is already running, or if the staged edits have changed, for example
   * in another window.
   */
  const start = async (shown: ChangeSet): Promise<boolean> => {
    if (state.getState().starting || staged.get().saving) return false;
    const id = crypto.randomUUID();
    own = id;
    const starting = { total: shown.changes.length, at: Date.now() };
    state.setState({ error: null, starting, cancelling: false });
    try {
      const started = await claim(id, shown);
      state.setState({ starting: null });
      if (!started) return false;
      await follow(id, started.outcomes);
      await end(id);
    } catch (thrown) {
      const error = toApiError(thrown);
      // An unreachable app may have saved more rows than it reported. Its journal has their outcomes, so the save does
      // not end here.
      if (error.code !== 'app_unreachable') await end(id);
      if (error.code !== 'cancelled') fail(error);
      if (error.code === 'conflict') await forgetEnded();
    } finally {
      // The next save may have started while `end` was still storing the outcomes of this save.
      if (own === id) {
        own = null;
        state.setState({ starting: null });
      }
      void watch();
    }
    return true;
  };

  /**
   * Follows a save to its end: a save that another window sent, or that this window sent before a reload or before the
   * app became unreachable.
   */
  const watch = async () => {
    if (watching) return;
    watching = true;
    try {
      for (;;) {
        const { saving } = staged.get();
        if (!saving || saving.id === own) return;
        const found = await look(saving.id);
        // The app records a save before any window hears of it, so a save that the app does not know has ended.
        if (!found) staged.change((now) => endSave(now, saving.id));
        else if (found !== 'unreachable') {
          take(saving.id, found.outcomes);
          if (!found.running) await end(saving.id);
        }
        await new Promise((resolve) => setTimeout(resolve, watchEveryMs));
      }
    } finally {
      watching = false;
    }
  };

  /** The save with this id, as the app's journal has it. Undefined if the app does not know it. */
  const look = async (id: string) => {
    try {
      const found = await unsettledSaves(connectionId, target);
      // The outcomes of other ended saves are already in the staged edits, so the app can forget these saves. This is not
      // so for a save that another window started during the request, and that the staged edits still name.
      const kept = new Set([id, own, staged.get().saving?.id]);
      for (const save of found) {
        if (!kept.has(save.id) && !save.running) await acknowledgeSave(connectionId, save.id);
      }
      return found.find((save) => save.id === id);
    } catch {
      return 'unreachable' as const;
    }
  };

  /**
   * Lets the app forget the saves that have ended. It does not send their new rows again before that. First the staged
   * edits are stored, or read again: they have the outcomes of these saves, or name the save that `watch` follows.
   */
  const forgetEnded = async () => {
    try {
      await staged.flush();
    } catch {
      return;
    }
    // No save has this id.
    if (!staged.get().saving) await look('');
  };

  /**
   * Checks whether new rows without an answer were stored. A row stays unknown if the check cannot tell. `recent`: the
   * check is automatic and may come too soon, so a missing row stays unknown while the database may still store it.
   */
  const lookAgain = async ({ recent = false } = {}): Promise<void> => {
    if (recent && looking) return;
    // An automatic check may still be running. It can leave a missing row unknown, so the user's check runs after it.
    while (looking) await looking.catch(() => {});
    looking = lookNow(recent).finally(() => {
      looking = null;
    });
    return looking;
  };

  const lookNow = async (recent: boolean): Promise<void> => {
    const before = staged.get();
    const { unknown, saving } = before;
    const changes = changesOf(stagedRows(before)).filter((change) => unknown.includes(change.id));
    if (saving || changes.length === 0) return;
    const outcomes = await lookAtChanges(connectionId, { ...target, changes, recent });
    if (staged.get().saving) return;
    addSaved(saved, new Map(changes.map((change) => [change.id, change])), outcomes);
    const id = crypto.randomUUID();
    staged.change((now) => settleLooked(now, { id, before, outcomes }));
  };

  staged.store.subscribe(({ edits }) => {
    if (edits.saving && edits.saving.id !== own) void watch();
  });
  void watch();
  // As in `forgetEnded`. The staged edits have just been read.
  if (!staged.get().saving) void look('');

  return {
    state,
    saved,
    start,
    async cancel() {
      const id = staged.get().saving?.id ?? own;
      if (id === null) return;
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
      staged.change(forgetConnectionFailures);
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

export function sameChanges(one: ChangeSet['changes'], other: ChangeSet['changes']): boolean {
  return isSame(one, other);
}

/**
 * Compares without JSON, which would copy long texts first. Equal texts are mostly the same string object, so the
 * comparison is fast.
 */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (one instanceof Uint8Array || other instanceof Uint8Array) return isSameBytes(one, other);
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [ownKeys, otherKeys] = [Object.keys(one), Object.keys(other)];
  return (
    ownKeys.length === otherKeys.length &&
    ownKeys.every(
      (key) =>
        Object.hasOwn(other, key) && isSame(one[key as keyof typeof one], other[key as keyof typeof other]),
    )
  );
}

function isSameBytes(one: object, other: object): boolean {
  if (!(one instanceof Uint8Array && other instanceof Uint8Array)) return false;
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
