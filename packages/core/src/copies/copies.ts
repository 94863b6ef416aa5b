import { AppError, appErrorDetails, isAppError, noConnection } from '../errors.ts';
import type { JobList } from '../jobs/jobs.ts';
import type {
  Connections,
  Copies,
  CopyCounts,
  CopyDetail,
  CopyReport,
  Data,
  JobOutcome,
  JobProgress,
  ProgramRights,
  RunningJob,
} from '../types.ts';
import { type CopyJournal, noCounts, type UnfinishedCopy } from './copy-journal.ts';
import { copyTable } from './copy-table.ts';
import { copyOutcome, countWords } from './copy-words.ts';

type Rights = Pick<ProgramRights, 'assertOpen'>;

interface Parts {
  data: Data;
  connections: Pick<Connections, 'get'>;
  isSerial(connectionId: string): boolean;
  journal: CopyJournal;
  jobs: JobList;
}

/** Lists the copies that earlier starts of the app left unfinished. */
export function createCopies({ data, connections, isSerial, journal, jobs }: Parts): Copies {
  const specOf = (id: string, detail: CopyDetail) => ({
    ...{ kind: 'copy' as const, id, title: `Copy ${detail.from.table} to ${detail.to.table}` },
    ...detail.to,
    detail: () => detail,
    onForget: () => journal.forget(id),
  });
  for (const { id, startedAt, ...detail } of journal.all().reverse()) {
    const { words } = progressOf(detail.counts);
    const progress = { ...progressOf(detail.counts), words: detail.counts.total > 0 ? words : '' };
    const known = { startedAt, progress, outcome: copyOutcome(detail.report) };
    jobs.addEnded(specOf(id, detail), known);
  }

  async function run(
    { id, signal, report }: RunningJob,
    detail: CopyDetail,
    { earlier, rights, goOn }: { earlier: UnfinishedCopy | null; rights: Rights | undefined; goOn: boolean },
  ): Promise<JobOutcome> {
    const { from, to } = detail;
    report(progressOf(detail.counts));
    detail.report = await copyTable({
      ...{ data, request: { from, to, goOn }, cursor: earlier?.cursor ?? null, signal },
      isSerial: isSerial(from.connectionId),
      onProgress(counts) {
        detail.counts = { ...counts };
        report(progressOf(counts));
      },
      onCursor: (now) => journal.noteCursor(id, now, detail.counts),
      ...(rights && { rights }),
    }).catch((error: unknown) => failed(error, detail.counts));
    const { counts } = detail;
    detail.counts = countsOf(detail.report);
    report(detail.counts.total > 0 ? progressOf(detail.counts) : { done: 0, total: null, words: '' });
    const outcome = copyOutcome(detail.report);
    // If the app stops, the copy gets no report in the journal, so it counts as interrupted.
    if (jobs.isClosing) return outcome;
    // A copy that threw before it had counted its rows sent none of them.
    if (outcome.how === 'complete' || (counts === noCounts && !earlier)) {
      journal.forget(id);
      return { ...outcome, canContinue: false };
    }
    journal.end(id, detail.report);
    return outcome;
  }

  return {
    async begin(request, rights) {
      const { from, to, goOn } = request;
      const [source, target] = [connections.get(from.connectionId), connections.get(to.connectionId)];
      if (!source || !target) throw noConnection();
      if (source.driver !== target.driver) {
        throw new AppError({
          code: 'unsupported',
          message: 'A table can be copied only between connections of the same kind',
          hint: 'Export the table to a file, and import the file.',
        });
      }
      const isBusy = jobs
        .list()
        .some(
          ({ kind, outcome, connectionId, table }) =>
            kind === 'copy' && !outcome && connectionId === to.connectionId && table === to.table,
        );
      if (isBusy)
        throw new AppError({ code: 'conflict', message: `A copy to ${to.table} is already running` });
      const earlier = goOn ? journal.unfinished(request) : null;
      if (earlier) journal.resume(earlier.id);
      const id = earlier?.id ?? journal.begin(request);
      // If a continued copy fails before it has counted its rows, its report has the counts of the earlier run.
      const detail: CopyDetail = { from, to, counts: earlier?.counts ?? noCounts, report: null };
      jobs.run(specOf(id, detail), (job) => run(job, detail, { earlier, rights, goOn }));
      return { id };
    },
  };
}

function progressOf(counts: CopyCounts): JobProgress {
  const { copied, existing, failed, unknown, total } = counts;
  const done = copied + existing + failed + unknown;
  if (total === 0) return { done, total: null, words: 'Making the copy…' };
  return { done, total, words: countWords(counts) };
}

function countsOf({ copied, existing, failed, unknown, total }: CopyCounts): CopyCounts {
  return { copied, existing, failed, unknown, total };
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
