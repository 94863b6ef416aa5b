import type { Change, ChangeOutcome, ChangeSet, SettleRequest } from '@trestle/driver-kit';
import type { Logger } from 'pino';
import { AppError, appErrorDetails, isAppError } from '../errors.ts';
import type { Data, SaveFrame, SaveStart, Saves, SaveTarget, WindowRecords } from '../types.ts';
import { lostOutcome, type NotedSave, type SaveJournal } from './save-journal.ts';

interface Parts {
  data: Pick<Data, 'applyChanges' | 'settleChanges'>;
  journal: SaveJournal;
  records: Pick<WindowRecords, 'write'>;
  log: Logger;
}

interface Running {
  target: string;
  controller: AbortController;
}

/** How many early cancels are remembered. A cancel may arrive before its save. */
const keptCancels = 100;

export function createSaves({ data, journal, records, log }: Parts): Saves {
  const running = new Map<string, Running>();
  const cancelled = new Set<string>();
  const settling = new Map<string, Promise<void>>();

  /** Runs the save to its end, even if no window follows it. */
  async function run(
    save: SaveStart,
    { signal, abort }: { signal: AbortSignal; abort: () => void },
    tell: (outcomes: ChangeOutcome[]) => void,
  ): Promise<void> {
    const access = { caller: { kind: 'person' } as const, connectionId: save.connectionId, signal };
    const changes = new Map(save.changes.changes.map((change) => [change.id, change]));
    let unwritten: unknown;
    try {
      for await (const report of data.applyChanges(access, save.changes)) {
        try {
          journal.note(save.id, report, changes);
        } catch (error) {
          // A row that cannot be journalled must not be sent. Rows already sent are still reported.
          unwritten ??= error;
          abort();
        }
        if (report.outcomes.length > 0) tell(report.outcomes);
      }
    } catch (error) {
      // The abort makes the driver report `cancelled`, which is not the reason.
      throw unwritten ?? error;
    }
    if (unwritten) throw unwritten;
  }

  /** Settles the rows that have no outcome. One check serves all windows that ask meanwhile. */
  function settleOnce(save: NotedSave, target: SaveTarget): Promise<void> {
    const lost = save.rows.flatMap(({ change, outcome }) => (outcome ? [] : [change]));
    if (lost.length === 0) return Promise.resolve();
    let looking = settling.get(save.id);
    if (!looking) {
      looking = settle(save.id, lost, target).finally(() => settling.delete(save.id));
      settling.set(save.id, looking);
    }
    return looking;
  }

  async function settle(id: string, lost: Change[], { connectionId, ...place }: SaveTarget): Promise<void> {
    const { signal } = new AbortController();
    const access = { caller: { kind: 'person' } as const, connectionId, signal };
    try {
      const request = { ...place, changes: lost, recent: true } as SettleRequest;
      const told = await data.settleChanges(access, request);
      const changes = new Map(lost.map((change) => [change.id, change]));
      const outcomes = told.map((one) =>
        one.status === 'unknown' ? { ...lostOutcome(changes.get(one.id)!), ...one } : one,
      );
      journal.note(id, { sent: [], outcomes }, changes);
    } catch (error) {
      // The rows stay unknown. The next check may reach the server.
      log.warn({ problem: String(error) }, 'Rows of an interrupted save could not be looked at');
    }
  }

  function assertFree(save: { connectionId: string; changes: ChangeSet }, target: string): void {
    const { table } = save.changes;
    if (Array.from(running.values()).some((one) => one.target === target)) {
      throw new AppError({
        code: 'conflict',
        message: `Another save of ${table} is running`,
        hint: 'Wait until it ends, or cancel it.',
      });
    }
    const inserts = save.changes.changes.filter(({ kind }) => kind === 'insert').map(({ id }) => id);
    if (!journal.holdsAny(targetOf(save), inserts)) return;
    throw new AppError({
      code: 'conflict',
      message: `An earlier save of ${table} sent some of these new rows, and this window does not know their outcomes`,
      hint: 'Reload the table. Discard the new rows that it already has, then save again.',
    });
  }

  return {
    start(save) {
      const target = JSON.stringify(targetOf(save));
      assertFree(save, target);
      journal.begin(save.id, targetOf(save));
      const claim = save.claim && records.write(save.claim);
      if (claim && !claim.written) {
        journal.forget(save.id);
        return oneFrame({ claim });
      }
      const controller = new AbortController();
      const abort = () => controller.abort();
      if (cancelled.delete(save.id)) abort();
      running.set(save.id, { target, controller });
      return new ReadableStream<SaveFrame>(
        {
          async start(frames) {
            let isRead = true;
            const tell = (frame: SaveFrame) => {
              try {
                if (isRead) frames.enqueue(frame);
              } catch {
                // The window is gone. The save continues without it.
                isRead = false;
              }
            };
            if (claim) tell({ claim });
            const onOutcomes = (outcomes: ChangeOutcome[]) => tell({ outcomes });
            let end: SaveFrame = { done: true };
            try {
              await run(save, { signal: controller.signal, abort }, onOutcomes);
            } catch (error) {
              if (!isAppError(error)) log.error({ problem: String(error) }, 'A save failed');
              const internal = { code: 'internal', message: 'Trestle failed; its log says how' } as const;
              end = { error: isAppError(error) ? appErrorDetails(error) : internal };
            }
            running.delete(save.id);
            tell(end);
            if (isRead) frames.close();
          },
        },
        { highWaterMark: Number.POSITIVE_INFINITY },
      );
    },
    cancel(id) {
      const save = running.get(id);
      if (save) return save.controller.abort();
      cancelled.add(id);
      if (cancelled.size > keptCancels) cancelled.delete(cancelled.values().next().value!);
    },
    async unsettled(target) {
      const noted = journal.of(target).filter(({ id }) => !running.has(id));
      await Promise.all(noted.map((save) => settleOnce(save, target)));
      return journal.of(target).map(({ id, startedAt, rows }) => {
        const isRunning = running.has(id);
        const outcomes = rows.flatMap(
          ({ change, outcome }) => outcome ?? (isRunning ? [] : lostOutcome(change)),
        );
        return { id, startedAt, running: isRunning, outcomes };
      });
    },
    acknowledge(id) {
      if (!running.has(id)) journal.forget(id);
    },
  };
}

async function* oneFrame(frame: SaveFrame): AsyncGenerator<SaveFrame> {
  yield frame;
}

function targetOf({ connectionId, changes }: { connectionId: string; changes: ChangeSet }): SaveTarget {
  const { table, partition } = changes;
  return { connectionId, table, ...(partition !== undefined && { partition }) };
}
