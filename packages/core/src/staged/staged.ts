import type { ChangeOutcome, ChangeSet, SettleRequest } from '@trestle/driver-kit';
import type { Logger } from 'pino';
import { type AppErrorDetails, appErrorDetails, isAppError } from '../errors.ts';
import type { EventHub } from '../events/events.ts';
import { applyCommand, type Command } from '../staged-edits/commands.ts';
import { packEdits } from '../staged-edits/packed-edits.ts';
import { changesSent, stepsOf } from '../staged-edits/settle.ts';
import { changesOf, sameChanges, stagedRows } from '../staged-edits/staged-edits.ts';
import type { Storage } from '../storage/storage.ts';
import type { Data, SaveFrame, Staged, TablePart } from '../types.ts';
import { lostOutcome, type NotedSave, SaveJournal } from './save-journal.ts';
import { keyOf, StagedLists, withoutOwn } from './staged-lists.ts';
import { takeOverRecords } from './take-over.ts';

interface Parts {
  data: Pick<Data, 'applyChanges' | 'settleChanges'>;
  storage: Storage;
  events: EventHub;
  log: Logger;
}

/** How many early cancels are remembered. A cancel may arrive before its save. */
const keptCancels = 100;
/** Outcomes are settled together, since that visits every staged row. */
const settleEveryMs = 100;
const retryMs = 2000;

export function createStaged({ data, storage, events, log }: Parts): Staged & { close(): void } {
  const journal = new SaveJournal(storage);
  const lists = new StagedLists({
    storage,
    log,
    onCommit: (table, { revision, count }) =>
      events.emit({ type: 'stagedChanged', ...table, revision, count }),
  });
  takeOverRecords(storage, lists, log);
  const running = new Map<string, AbortController>();
  const cancelled = new Set<string>();
  const opened = new Set<string>();
  const checks = new Map<string, Promise<void>>();
  let isClosed = false;

  const commit = (table: TablePart, commands: Command[], also?: () => void) =>
    lists.commit(
      table,
      commands.map((command) => ({ command })),
      also,
    );

  /**
   * Runs a save to its end, even if no window follows it. Returns the error that ended it early. `onUnstored` hears that
   * the end cannot be stored yet.
   */
  async function run(
    table: TablePart,
    { id, set, onUnstored }: { id: string; set: ChangeSet; onUnstored: (error: AppErrorDetails) => void },
  ): Promise<AppErrorDetails | null> {
    const controller = running.get(id)!;
    const changes = new Map(set.changes.map((change) => [change.id, change]));
    const outcomes = collectOutcomes(table, id);
    let unwritten: unknown;
    let failure: unknown;
    try {
      for await (const report of data.applyChanges(accessTo(table, controller.signal), set)) {
        try {
          journal.note(id, report, changes);
        } catch (error) {
          // A row that cannot be journalled must not be sent. Rows already sent are still reported.
          unwritten ??= error;
          controller.abort();
        }
        outcomes.add(report.outcomes);
      }
    } catch (error) {
      failure = error;
    }
    await end(table, { id, outcomes: outcomes.take(), onUnstored: (error) => onUnstored(detailsOf(error)) });
    running.delete(id);
    // The abort makes the driver report `cancelled`, which is not the reason.
    const error = unwritten ?? failure;
    return error === undefined ? null : detailsOf(error);
  }

  function detailsOf(error: unknown): AppErrorDetails {
    if (isAppError(error)) return appErrorDetails(error);
    log.error({ problem: String(error) }, 'A save failed');
    return { code: 'internal', message: 'Trestle failed; its log says how' };
  }

  /** Settles outcomes from time to time while a save runs. The journal already has them. */
  function collectOutcomes(table: TablePart, id: string) {
    let waiting: ChangeOutcome[] = [];
    let timer: NodeJS.Timeout | undefined;
    let pauseMs = settleEveryMs;
    const settle = () => {
      timer = undefined;
      const startedAt = performance.now();
      try {
        commit(table, [{ kind: 'settle', save: id, outcomes: waiting }]);
        waiting = [];
      } catch (error) {
        log.warn({ problem: String(error) }, 'Outcomes of a save could not be stored yet');
      }
      // A long list leaves the app time for other work.
      pauseMs = Math.max(settleEveryMs, 4 * (performance.now() - startedAt));
    };
    return {
      add(outcomes: ChangeOutcome[]) {
        if (outcomes.length === 0) return;
        waiting.push(...outcomes);
        timer ??= setTimeout(settle, pauseMs);
      },
      take() {
        clearTimeout(timer);
        return waiting;
      },
    };
  }

  /**
   * Settles the last outcomes, ends the save and forgets its journal, all at once. While that cannot be stored, the
   * journal keeps the outcomes.
   */
  async function end(
    table: TablePart,
    {
      id,
      outcomes,
      onUnstored,
    }: { id: string; outcomes: ChangeOutcome[]; onUnstored?: (error: unknown) => void },
  ): Promise<void> {
    while (!isClosed) {
      try {
        return commit(
          table,
          [
            { kind: 'settle', save: id, outcomes },
            { kind: 'end', save: id },
          ],
          () => journal.forget(id),
        );
      } catch (error) {
        if (isClosed) return;
        onUnstored?.(error);
        log.warn({ problem: String(error) }, 'The end of a save could not be stored yet');
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  /** Ends the save that was running when the app ended. Sent rows without an outcome are looked up first. */
  async function recover(table: TablePart): Promise<void> {
    const { saving } = lists.get(table).edits;
    for (const { id } of journal.of(table)) if (id !== saving?.id) journal.forget(id);
    if (!saving) return;
    const noted = journal.of(table).find(({ id }) => id === saving.id);
    if (noted) await lookUp(noted, table);
    const rows = journal.of(table).find(({ id }) => id === saving.id)?.rows ?? [];
    const outcomes = rows.map(({ change, outcome }) => outcome ?? lostOutcome(change));
    await end(table, { id: saving.id, outcomes });
  }

  async function lookUp(save: NotedSave, { connectionId, ...place }: TablePart): Promise<void> {
    const lost = save.rows.flatMap(({ change, outcome }) => (outcome ? [] : [change]));
    if (lost.length === 0) return;
    try {
      const request = { ...place, changes: lost, recent: true } as SettleRequest;
      const told = await data.settleChanges(accessTo({ connectionId }), request);
      const changes = new Map(lost.map((change) => [change.id, change]));
      const outcomes = told.map((one) =>
        one.status === 'unknown' ? { ...lostOutcome(changes.get(one.id)!), ...one } : one,
      );
      journal.note(save.id, { sent: [], outcomes }, changes);
    } catch (error) {
      // The rows become unknown. A later check may reach the server.
      log.warn({ problem: String(error) }, 'Rows of an interrupted save could not be looked at');
    }
  }

  async function checkNow(table: TablePart, recent: boolean): Promise<void> {
    const { edits } = lists.get(table);
    const { connectionId, ...place } = table;
    const changes = changesOf(stagedRows(edits)).filter(({ id }) => edits.unknown.includes(id));
    if (edits.saving || changes.length === 0) return;
    const request = { ...place, changes, recent } as SettleRequest;
    const outcomes = await data.settleChanges(accessTo({ connectionId }), request);
    const sent = stepsOf(
      edits.steps,
      changes.map(({ id }) => id),
    );
    commit(table, [{ kind: 'looked', sent, outcomes }]);
  }

  function openOnce(table: TablePart): void {
    const key = keyOf(table);
    if (opened.has(key)) return;
    opened.add(key);
    recover(table).catch((error) => {
      opened.delete(key);
      log.warn({ problem: String(error) }, 'An interrupted save could not be settled');
    });
  }

  return {
    counts: () => lists.counts(),
    sync(table, { since, window, first, commands }) {
      openOnce(table);
      const last = lists.get(table).numbers.get(window) ?? 0;
      const entries = commands.map((command, at) => ({ command, from: { window, number: first + at } }));
      const added = entries.filter(({ from }) => from.number > last);
      if (added.length > 0) lists.commit(table, added);
      const { revision, edits, numbers } = lists.get(table);
      // If the connection is gone, its commands are dropped. The window must not send them again.
      const applied = Math.max(numbers.get(window) ?? 0, first + commands.length - 1);
      const missed = since === null ? null : lists.since(table, since);
      return missed
        ? { revision, applied, commands: missed.map((entry) => withoutOwn(entry, window)) }
        : { revision, applied, whole: packEdits(edits) };
    },
    save(table, { id, changes }) {
      openOnce(table);
      const { edits } = lists.get(table);
      if (edits.saving) return refused(saveIsRunning(table));
      const rows = changes.map((change) => change.id);
      const begin: Command = { kind: 'begin', save: id, rows, at: Date.now() };
      const { saving } = applyCommand(edits, begin);
      if (!saving || !sameChanges([...changesSent(saving).values()], changes))
        return refused(hasChanged(table));
      commit(table, [begin], () => journal.begin(id, table));
      const controller = new AbortController();
      if (cancelled.delete(id)) controller.abort();
      running.set(id, controller);
      const { table: name, partition } = table;
      const set = { table: name, ...(partition !== undefined && { partition }), changes };
      const unstored = Promise.withResolvers<AppErrorDetails>();
      return framesOf(run(table, { id, set, onUnstored: unstored.resolve }), unstored.promise);
    },
    cancel(id) {
      const controller = running.get(id);
      if (controller) return controller.abort();
      cancelled.add(id);
      if (cancelled.size > keptCancels) cancelled.delete(cancelled.values().next().value!);
    },
    async check(table, { recent }) {
      const key = keyOf(table);
      // An automatic check may still be running. It can leave a missing row unknown, so the user's check runs after it.
      for (let other = checks.get(key); other; other = checks.get(key)) {
        if (recent) return;
        await other.catch(() => {});
      }
      const check = checkNow(table, recent).finally(() => checks.delete(key));
      checks.set(key, check);
      return check;
    },
    close() {
      isClosed = true;
    },
  };
}

/** The save has already started, and continues if nobody reads these frames. */
async function* framesOf(
  saving: Promise<AppErrorDetails | null>,
  unstored: Promise<AppErrorDetails>,
): AsyncGenerator<SaveFrame> {
  yield { started: true };
  const reason = await Promise.race([unstored, saving.then(() => null)]);
  if (reason) yield { unstored: reason };
  const error = await saving;
  yield error ? { error } : { done: true };
}

function accessTo({ connectionId }: Pick<TablePart, 'connectionId'>, signal = new AbortController().signal) {
  return { caller: { kind: 'person' } as const, connectionId, signal };
}

async function* refused(error: AppErrorDetails): AsyncGenerator<SaveFrame> {
  yield { error };
}

function saveIsRunning({ table }: TablePart): AppErrorDetails {
  return {
    code: 'conflict',
    message: `Another save of ${table} is running`,
    hint: 'Wait until it ends, or cancel it.',
  };
}

function hasChanged({ table }: TablePart): AppErrorDetails {
  return {
    code: 'conflict',
    message: `Another window changed the edits of ${table} or has saved them`,
    hint: 'Look at them and save again.',
  };
}
