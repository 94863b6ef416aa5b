import { ownValue } from '@trestle/driver-kit';
import { useEffect, useRef, useState } from 'react';
import { ApiError, toApiError } from '../../data/api/api.ts';
import {
  type CheckedPlan,
  cancelImport,
  checkPlan,
  forgetFile,
  type ImportedFile,
  type ImportReport,
  type ImportRunBody,
  lostImport,
  retryFailed,
  runImport,
  sendFile,
} from './import-api.ts';
import type { Counts } from './import-words.ts';

interface Problem {
  line: number;
  problem: string;
}

export type ImportStep =
  | { kind: 'choose' }
  | { kind: 'reading'; name: string; bytes: number }
  | { kind: 'map' }
  | { kind: 'running'; counts: Counts; startedAt: number; cancelling: boolean }
  | { kind: 'done'; report: ImportReport; problems: Problem[]; seconds: number };

interface ImportPlace {
  connectionId: string;
  table: string;
}

export type Existing = ImportRunBody['existing'];

const noCounts: Counts = { stored: 0, replaced: 0, existing: 0, failed: 0, unknown: 0 };

/** The steps of one import: choose a file, map its columns, run the import, show the report. */
export function useImport({ connectionId, table }: ImportPlace) {
  const [step, setStep] = useState<ImportStep>({ kind: 'choose' });
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
    const startedAt = performance.now();
    const lost = () => lostImport(plan.missingId === 'database', options.existing);
    setError(null);
    setStep({ kind: 'running', counts: noCounts, startedAt, cancelling: false });
    try {
      const body = { id: file.id, connectionId, table, map: plan.map, newIds, ...options };
      for await (const frame of runImport(body)) {
        if ('counts' in frame) {
          setStep((now) => (now.kind === 'running' ? { ...now, counts: frame.counts } : now));
        } else if ('error' in frame) throw new ApiError(frame.error);
        else {
          const seconds = (performance.now() - startedAt) / 1000;
          setStep({ kind: 'done', report: frame.report, problems: frame.problems, seconds });
          return;
        }
      }
      throw lost();
    } catch (thrown) {
      const failure = toApiError(thrown);
      setError(failure.code === 'app_unreachable' ? lost() : failure);
      setStep({ kind: 'map' });
    }
  }

  function cancel() {
    if (step.kind === 'reading') {
      reading.current?.abort();
      checking.current?.abort();
      setStep({ kind: 'choose' });
    } else if (step.kind === 'running' && file) {
      setStep({ ...step, cancelling: true });
      void cancelImport(file.id).catch(() => {});
    }
  }

  async function tryAgain() {
    if (!file || !plan) return;
    const { map } = plan;
    setError(null);
    try {
      const next = await retryFailed(file.id);
      keep(next);
      const known = Object.fromEntries(next.columns.map((name) => [name, ownValue(map, name) ?? null]));
      if (await check(next, known)) setStep({ kind: 'map' });
    } catch (thrown) {
      setError(toApiError(thrown));
    }
  }

  function startOver() {
    checking.current?.abort();
    keep(null);
    setPlan(null);
    setError(null);
    setStep({ kind: 'choose' });
  }

  return {
    step,
    file,
    plan,
    error,
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
