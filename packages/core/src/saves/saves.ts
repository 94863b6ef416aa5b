import type { ChangeOutcome, ChangeSet } from '@trestle/driver-kit';
import type { Logger } from 'pino';
import { AppError, appErrorDetails, isAppError } from '../errors.ts';
import type { Data, SaveFrame, Saves, SaveTarget } from '../types.ts';
import { lostOutcome, type SaveJournal } from './save-journal.ts';

interface Parts {
  data: Pick<Data, 'applyChanges'>;
  journal: SaveJournal;
  log: Logger;
}

interface Running {
  target: string;
  controller: AbortController;
}

/** Of how many saves a cancel is remembered that came before them. */
const keptCancels = 100;

export function createSaves({ data, journal, log }: Parts): Saves {
  const running = new Map<string, Running>();
  const cancelled = new Set<string>();

  /** Reads the save to its end, whether or not somebody follows it. */
  async function run(
    save: { id: string; connectionId: string; changes: ChangeSet },
    { signal, abort }: { signal: AbortSignal; abort: () => void },
    tell: (outcomes: ChangeOutcome[]) => void,
  ): Promise<void> {
    const access = { caller: { kind: 'person' } as const, connectionId: save.connectionId, signal };
    const changes = new Map(save.changes.changes.map((change) => [change.id, change]));
    let unwritten: unknown;
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
    if (unwritten) throw unwritten;
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
      message: `An earlier save of ${table} sent some of these new rows, and this window has not noted what became of them`,
      hint: 'Close the tab and open it again.',
    });
  }

  return {
    start(save) {
      const target = JSON.stringify(targetOf(save));
      assertFree(save, target);
      const controller = new AbortController();
      const abort = () => controller.abort();
      if (cancelled.delete(save.id)) abort();
      journal.begin(save.id, targetOf(save));
      running.set(save.id, { target, controller });
      return new ReadableStream<SaveFrame>(
        {
          async start(frames) {
            let isRead = true;
            const tell = (frame: SaveFrame) => {
              try {
                if (isRead) frames.enqueue(frame);
              } catch {
                // Its window is gone; the journal has it.
                isRead = false;
              }
            };
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
    unsettled: (target) =>
      journal.of(target).map(({ id, startedAt, rows }) => {
        const isRunning = running.has(id);
        const outcomes = rows.flatMap(
          ({ change, outcome }) => outcome ?? (isRunning ? [] : lostOutcome(change)),
        );
        return { id, startedAt, running: isRunning, outcomes };
      }),
    acknowledge(id) {
      if (!running.has(id)) journal.forget(id);
    },
  };
}

function targetOf({ connectionId, changes }: { connectionId: string; changes: ChangeSet }): SaveTarget {
  const { table, partition } = changes;
  return { connectionId, table, ...(partition !== undefined && { partition }) };
}
