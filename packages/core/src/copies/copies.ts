import { randomUUID } from 'node:crypto';
import { AppError, appErrorDetails, isAppError } from '../errors.ts';
import type { Connections, Copies, CopyCounts, CopyReport, CopyState, Data } from '../types.ts';
import { copyTable } from './copy-table.ts';

/** The oldest reports that nobody has read are dropped. */
const keptCopies = 50;

interface Job {
  state: CopyState;
  abort: AbortController;
}

export function createCopies(data: Data, connections: Pick<Connections, 'get'>): Copies {
  const jobs = new Map<string, Job>();
  const find = (id: string) => {
    const job = jobs.get(id);
    if (!job) throw new AppError({ code: 'not_found', message: 'There is no such copy' });
    return job;
  };
  return {
    async begin(request) {
      const { from, to } = request;
      const [source, target] = [connections.get(from.connectionId), connections.get(to.connectionId)];
      if (source?.driver !== target?.driver) {
        throw new AppError({
          code: 'unsupported',
          message: 'A table is copied between connections of the same kind',
          hint: 'Export it to a file, and import that.',
        });
      }
      const job: Job = { state: { state: 'running', counts: noCounts }, abort: new AbortController() };
      const id = randomUUID();
      jobs.set(id, job);
      if (jobs.size > keptCopies) jobs.delete(jobs.keys().next().value!);
      const onProgress = (counts: CopyCounts) => {
        job.state = { state: 'running', counts: { ...counts } };
      };
      void copyTable({ data, request, signal: job.abort.signal, onProgress })
        .catch((error: unknown) => failed(error))
        .then((report) => {
          job.state = { state: 'done', report };
        });
      return { id };
    },
    progress: (id) => find(id).state,
    cancel: (id) => find(id).abort.abort(),
  };
}

const noCounts: CopyCounts = { copied: 0, existing: 0, failed: 0, total: 0 };

/** The copy ended before it sent a row. */
function failed(error: unknown): CopyReport {
  const details = isAppError(error)
    ? appErrorDetails(error)
    : { code: 'internal' as const, message: error instanceof Error ? error.message : String(error) };
  return {
    ...noCounts,
    isNew: false,
    unavailable: [],
    ended: 'stopped',
    error: details,
    inTarget: 0,
    compared: 0,
    different: [],
    problems: [],
  };
}
