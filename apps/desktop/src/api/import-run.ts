import {
  type Core,
  type ImportDetail,
  importOutcome,
  importProgress,
  type JobOutcome,
  planImport,
  type RunningJob,
  runImport,
} from '@trestle/core';
import type { ImportFiles, KeptFile } from './import-files.ts';

/** A job has at most this many problems. The file of failed rows is not limited. */
const shownProblems = 200;

export interface ImportRun {
  connectionId: string;
  table: string;
  partition?: string | undefined;
  map: Record<string, string | null>;
  newIds: boolean;
  existing: ImportDetail['existing'];
}

/** Starts imports of files that windows sent. An import continues if its window is closed. */
export function importStarter(core: Pick<Core, 'imports' | 'jobs'>, files: ImportFiles) {
  const running = new Map<string, { id: string; over: Promise<void> }>();

  /** Returns the id of the job. */
  return async function start(fileId: string, request: ImportRun): Promise<string> {
    const kept = files.get(fileId);
    // A window that lost its connection may start its import again. If both ran at once, each row whose id comes from
    // the database would be stored twice.
    for (let before = running.get(fileId); before; before = running.get(fileId)) {
      core.jobs.cancel(before.id);
      await before.over;
    }
    const { connectionId, table, existing, map, newIds } = request;
    const { rows } = kept.file;
    const counts = { stored: 0, replaced: 0, existing: 0, failed: 0, unknown: 0 };
    const detail: ImportDetail = {
      ...{ file: { id: fileId, rows }, existing, map, newIds },
      ...{ isNumbered: false, counts, report: null, problems: [] },
    };
    const job = core.jobs.run(
      {
        ...{ kind: 'import', title: `Import ${kept.name} into ${table}`, connectionId, table },
        detail: () => detail,
        onForget: () => void files.forget(fileId).catch(() => {}),
      },
      (one) => run(core, one, { files, kept, request, detail }),
    );
    running.set(fileId, job);
    void job.over.then(() => running.delete(fileId));
    return job.id;
  };
}

async function run(
  core: Pick<Core, 'imports'>,
  job: RunningJob,
  parts: { files: ImportFiles; kept: KeptFile; request: ImportRun; detail: ImportDetail },
): Promise<JobOutcome> {
  const { kept, files, detail } = parts;
  const { map, newIds, existing, partition, ...place } = parts.request;
  const { rows } = kept.file;
  job.report(importProgress(detail.counts, rows));
  const target = { ...place, replace: existing === 'replace', ...(partition !== undefined && { partition }) };
  const { id, table } = await core.imports.begin(target, job.signal);
  try {
    const plan = planImport(kept.file.columns, table, { map, newIds });
    detail.isNumbered = plan.missingId === 'database';
    detail.report = await runImport({
      file: kept.file,
      plan,
      send: (batch) => core.imports.send(id, batch, new AbortController().signal),
      stopAtExisting: existing === 'stop',
      failedFile: await files.openFailed(kept),
      onFailed({ line }, { problem }) {
        if (detail.problems.length < shownProblems) detail.problems.push({ line, problem });
      },
      onProgress(now) {
        detail.counts = { ...now };
        job.report(importProgress(now, rows));
      },
      signal: job.signal,
    });
    job.report(importProgress(detail.report, rows, detail.report.ended));
    return importOutcome(detail.report);
  } finally {
    core.imports.end(id);
  }
}
