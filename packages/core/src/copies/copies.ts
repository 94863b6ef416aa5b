import type { Logger } from 'pino';
import { AppError, appErrorDetails, isAppError, noConnection } from '../errors.ts';
import type {
  Connections,
  Copies,
  CopyCounts,
  CopyReport,
  CopyRequest,
  CoreEvent,
  Data,
  KnownCopy,
  ProgramRights,
} from '../types.ts';
import { type CopyJournal, type NotedCopy, noCounts, type UnfinishedCopy } from './copy-journal.ts';
import { copyTable } from './copy-table.ts';

interface Job {
  counts: CopyCounts;
  abort: AbortController;
  to: CopyRequest['to'];
  over: Promise<void>;
}

type Rights = Pick<ProgramRights, 'assertOpen'>;

interface Parts {
  data: Data;
  connections: Pick<Connections, 'get'>;
  isSerial(connectionId: string): boolean;
  journal: CopyJournal;
  events: { emit(event: CoreEvent): void };
  log: Pick<Logger, 'error'>;
}

export function createCopies({ data, connections, isSerial, journal, events, log }: Parts): Copies & {
  close(): Promise<void>;
} {
  const running = new Map<string, Job>();
  /**
   * Reports of copies that threw in their first run before they had counted their rows, for example because the target
   * exists. These copies are no longer in the journal. `progress` returns each report once.
   */
  const refused = new Map<string, CopyReport>();
  let isClosing = false;

  const known = (copy: NotedCopy): KnownCopy => {
    const job = running.get(copy.id);
    const state = job ? 'running' : copy.report ? 'done' : 'interrupted';
    return { ...copy, ...(job && { counts: job.counts }), state };
  };

  function start(
    id: string,
    request: CopyRequest,
    { earlier, rights }: { earlier: UnfinishedCopy | null; rights: Rights | undefined },
  ): void {
    const abort = new AbortController();
    // If a continued copy fails before it has counted its rows, its report has the counts of the earlier run.
    const counts = earlier?.counts ?? noCounts;
    const job: Job = { counts, abort, to: request.to, over: Promise.resolve() };
    running.set(id, job);
    const work = copyTable({
      ...{ data, request, cursor: earlier?.cursor ?? null, signal: abort.signal },
      isSerial: isSerial(request.from.connectionId),
      onProgress(counts) {
        job.counts = { ...counts };
      },
      onCursor: (now) => journal.noteCursor(id, now, job.counts),
      ...(rights && { rights }),
    });
    job.over = work
      .then(
        // If the app stops, the copy gets no report in the journal, so it counts as interrupted.
        (report) => void (isClosing || journal.end(id, report)),
        (error: unknown) => {
          if (isClosing) return;
          // A copy that has counted its rows may have sent some of them. It keeps its counts and its cursor.
          if (earlier || job.counts !== noCounts) return journal.end(id, failed(error, job.counts));
          refused.set(id, failed(error, noCounts));
          journal.forget(id);
        },
      )
      .catch((error: unknown) => log.error({ error }, 'A copy could not be recorded'))
      .finally(() => {
        running.delete(id);
        if (!isClosing) events.emit({ type: 'copiesChanged' });
      });
  }

  return {
    async begin(request, rights) {
      const { from, to } = request;
      const [source, target] = [connections.get(from.connectionId), connections.get(to.connectionId)];
      if (!source || !target) throw noConnection();
      if (source.driver !== target.driver) {
        throw new AppError({
          code: 'unsupported',
          message: 'A table can be copied only between connections of the same kind',
          hint: 'Export the table to a file, and import the file.',
        });
      }
      const isBusy = Array.from(running.values()).some(
        (job) => job.to.connectionId === to.connectionId && job.to.table === to.table,
      );
      if (isBusy)
        throw new AppError({ code: 'conflict', message: `A copy to ${to.table} is already running` });
      const earlier = request.goOn ? journal.unfinished(request) : null;
      if (earlier) journal.resume(earlier.id);
      const id = earlier?.id ?? journal.begin(request);
      start(id, request, { earlier, rights });
      events.emit({ type: 'copiesChanged' });
      return { id };
    },
    progress(id) {
      const report = refused.get(id);
      refused.delete(id);
      if (report) return { state: 'done', report };
      const copy = journal.get(id);
      if (!copy) throw new AppError({ code: 'not_found', message: 'There is no such copy' });
      const job = running.get(id);
      if (job) return { state: 'running', counts: job.counts };
      if (copy.report) return { state: 'done', report: copy.report };
      throw new AppError({
        code: 'cancelled',
        message: 'The copy was interrupted',
        hint: 'Continue the copy: rows that are already in the target do not change.',
      });
    },
    list: () => journal.all().map(known),
    cancel: (id) => running.get(id)?.abort.abort(),
    forget(id) {
      if (running.has(id)) throw new AppError({ code: 'conflict', message: 'This copy is still running' });
      journal.forget(id);
      events.emit({ type: 'copiesChanged' });
    },
    async close() {
      isClosing = true;
      for (const { abort } of running.values()) abort.abort();
      await Promise.all(Array.from(running.values(), ({ over }) => over));
    },
  };
}

/** The report of a copy that threw: before it sent a row, or later because of an internal error. */
function failed(error: unknown, counts: CopyCounts): CopyReport {
  const details = isAppError(error)
    ? appErrorDetails(error)
    : { code: 'internal' as const, message: error instanceof Error ? error.message : String(error) };
  return {
    ...counts,
    isNew: false,
    unavailable: [],
    ...(details.code === 'cancelled'
      ? { ended: 'cancelled' as const }
      : { ended: 'stopped' as const, error: details }),
    inTarget: 0,
    compared: 0,
    different: [],
    problems: [],
  };
}
