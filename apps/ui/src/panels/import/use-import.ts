import { ownValue } from '@trestle/driver-kit';
import { useEffect, useRef, useState } from 'react';
import { ApiError, api, toApiError } from '../../data/api/api.ts';
import { type JobOf, useJob } from '../../data/jobs/use-jobs.ts';
import type { ImportTarget } from '../../data/window/open-dialog.ts';
import {
  type CheckedPlan,
  checkPlan,
  forgetFile,
  type ImportedFile,
  type ImportReport,
  type ImportRunBody,
  lostImport,
  retryFailed,
  sendFile,
  startImport,
} from './import-api.ts';

export type ImportStep =
  | { kind: 'choose' }
  | { kind: 'reading'; name: string; bytes: number }
  | { kind: 'map' }
  | { kind: 'running'; job: JobOf<'import'> | undefined }
  | { kind: 'done'; job: JobOf<'import'>; report: ImportReport };

export type Existing = ImportRunBody['existing'];

/** The steps of one import: choose a file, map its columns, run the import, show the report. */
export function useImport({ connectionId, table, jobId }: ImportTarget) {
  const [before, setStep] = useState<ImportStep>({ kind: 'choose' });
  const [started, setStarted] = useState<string | null>(jobId ?? null);
  const { job, error: lost } = useJob('import', started);
  const isLost = lost !== null && toApiError(lost).code === 'not_found';
  const step = stepOf(isLost ? undefined : job, isLost, before);
  const [file, setFile] = useState<ImportedFile | null>(null);
  const [plan, setPlan] = useState<CheckedPlan | null>(null);
  const [newIds, setNewIds] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const reading = useRef<AbortController | null>(null);
  const checking = useRef<AbortController | null>(null);
  const kept = useRef<string | null>(null);
  useEffect(
    () => () => {
      reading.current?.abort();
      checking.current?.abort();
      if (kept.current) void forgetFile(kept.current).catch(() => {});
    },
    [],
  );

  function keep(next: ImportedFile | null) {
    if (kept.current && kept.current !== next?.id) void forgetFile(kept.current).catch(() => {});
    kept.current = next?.id ?? null;
    setFile(next);
  }

  /** Returns false if the check was aborted. */
  async function check(of: ImportedFile, map?: CheckedPlan['map'], ids = newIds) {
    checking.current?.abort();
    const abort = new AbortController();
    checking.current = abort;
    setError(null);
    try {
      const body = { id: of.id, connectionId, table, newIds: ids, ...(map && { map }) };
      const next = await checkPlan(body, abort.signal);
      if (!abort.signal.aborted) setPlan(next);
    } catch (thrown) {
      if (!abort.signal.aborted) setError(toApiError(thrown));
    } finally {
      if (checking.current === abort) checking.current = null;
    }
    return !abort.signal.aborted;
  }

  async function choose(chosen: File) {
    const abort = new AbortController();
    reading.current = abort;
    setError(null);
    setPlan(null);
    setStep({ kind: 'reading', name: chosen.name, bytes: chosen.size });
    try {
      const next = await sendFile(chosen, abort.signal);
      keep(next);
      await check(next);
      if (!abort.signal.aborted) setStep({ kind: 'map' });
    } catch (thrown) {
      if (!abort.signal.aborted) setError(toApiError(thrown));
      setStep({ kind: 'choose' });
    }
  }

  /** Each change checks the file again, since the counts beside the columns depend on the map. */
  function changeMap(column: string, to: string | null) {
    if (!file || !plan) return;
    const map = { ...plan.map, [column]: to };
    setPlan({ ...plan, map });
    void check(file, map);
  }

  function changeNewIds(ids: boolean) {
    setNewIds(ids);
    if (file && plan) void check(file, plan.map, ids);
  }

  async function run(options: { existing: Existing; partition?: string }) {
    if (!file || !plan) return;
    setError(null);
    setStarted(null);
    setStep({ kind: 'running', job: undefined });
    try {
      const body = { id: file.id, connectionId, table, map: plan.map, newIds, ...options };
      setStarted(await startImport(body));
    } catch (thrown) {
      const failure = toApiError(thrown);
      const isLost = failure.code === 'app_unreachable';
      setError(isLost ? lostImport(plan.missingId === 'database', options.existing) : failure);
      setStep({ kind: 'map' });
    }
  }

  function cancel() {
    if (step.kind === 'reading') {
      reading.current?.abort();
      checking.current?.abort();
      setStep({ kind: 'choose' });
    } else if (started !== null) void api.jobs.cancel.mutate({ id: started }).catch(() => {});
  }

  async function tryAgain() {
    if (!job) return;
    const { map, newIds: ids, file: failed } = job.detail;
    setError(null);
    try {
      const next = await retryFailed(failed.id);
      keep(next);
      setNewIds(ids);
      const known = Object.fromEntries(next.columns.map((name) => [name, ownValue(map, name) ?? null]));
      if (!(await check(next, known, ids))) return;
      setStarted(null);
      setStep({ kind: 'map' });
    } catch (thrown) {
      setError(toApiError(thrown));
    }
  }

  function startOver() {
    checking.current?.abort();
    keep(null);
    setPlan(null);
    setError(null);
    setStarted(null);
    setStep({ kind: 'choose' });
  }

  return {
    step,
    file,
    plan,
    error: error ?? failureOf(job, isLost),
    newIds,
    choose,
    changeMap,
    changeNewIds,
    run,
    cancel,
    tryAgain,
    startOver,
  };
}

export type Import = ReturnType<typeof useImport>;

/** While an import runs, and after it, its job decides what is shown. An import that did not begin shows its map. */
function stepOf(job: JobOf<'import'> | undefined, isLost: boolean, before: ImportStep): ImportStep {
  if (job && !job.outcome) return { kind: 'running', job };
  if (job?.detail.report) return { kind: 'done', job, report: job.detail.report };
  return (job || isLost) && before.kind === 'running' ? { kind: 'map' } : before;
}

/** Why the import has no report. `isLost`: the app was started again, and does not know the import. */
function failureOf(job: JobOf<'import'> | undefined, isLost: boolean): ApiError | null {
  if (isLost) return lostImport(job?.detail.isNumbered ?? false, job?.detail.existing ?? 'skip');
  return job?.outcome?.error && !job.detail.report ? new ApiError(job.outcome.error) : null;
}
