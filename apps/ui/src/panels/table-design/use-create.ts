import type { DesignPlan } from '@trestle/driver-kit';
import { useEffect, useRef, useState } from 'react';
import { ApiError, api, toApiError } from '../../data/api/api.ts';
import type { Connection } from '../../data/api/api-types.ts';
import { useJob } from '../../data/jobs/use-jobs.ts';
import { showToast } from '../../data/messages/toast.tsx';
import { dialogs } from '../../data/window/open-dialog.ts';
import { workspace } from '../../data/window/workspace-store.ts';
import { openTable } from '../../table-tab/index.ts';
import { mapOfDesign, startImport } from '../import/import-api.ts';
import type { DesignTab } from './open-design.ts';

/** Creates the table as a job, then imports the file, and shows the table. The statements are those of the plan in view. */
export function useCreate(connection: Connection, tab: DesignTab) {
  const { id: connectionId, safeMode } = connection;
  const [jobId, setJobId] = useState<string | null>(null);
  const [asked, setAsked] = useState<DesignPlan | null>(null);
  const [error, setError] = useState<unknown>(null);
  const { job } = useJob('act', jobId);
  const made = useRef(tab);
  const settled = useRef<string | null>(null);

  const begin = async (plan: DesignPlan) => {
    setAsked(null);
    setError(null);
    made.current = tab;
    const statements = plan.steps.flatMap(({ text }) => text ?? []);
    try {
      setJobId(
        await api.designs.create
          .mutate({ connectionId, design: tab.design, statements })
          .then(({ id }) => id),
      );
    } catch (failure) {
      setError(toApiError(failure));
    }
  };

  useEffect(() => {
    if (!job?.outcome || settled.current === job.id) return;
    settled.current = job.id;
    const { outcome, detail } = job;
    setJobId(null);
    if (outcome.how !== 'complete') {
      const { code = 'cancelled', hint } = outcome.error ?? {};
      setError(new ApiError({ code, message: outcome.words, ...(hint !== undefined && { hint }) }));
      return;
    }
    void finish(connectionId, made.current, detail.notes);
  }, [job, connectionId]);

  return {
    error,
    /** The plan that waits for the user's word. */
    asked,
    isRunning: jobId !== null,
    words: jobId === null ? undefined : job?.progress.words || 'Creating…',
    ask: (plan: DesignPlan) => (safeMode === 'confirm' ? setAsked(plan) : void begin(plan)),
    confirm: () => asked && void begin(asked),
    refuse: () => setAsked(null),
    cancel: () => jobId !== null && void api.jobs.cancel.mutate({ id: jobId }).catch(() => {}),
  };
}

async function finish(connectionId: string, { id, design, file }: DesignTab, notes: string[]): Promise<void> {
  const { name: table } = design;
  showToast({
    title: `${table} was created`,
    ...(notes.length > 0 && { description: notes.join(' ') }),
  });
  workspace.discardTab(connectionId, id);
  openTable(connectionId, table);
  if (!file) return;
  try {
    const map = await mapOfDesign({ id: file.id, connectionId, table, design });
    const jobId = await startImport({ id: file.id, connectionId, table, map, existing: 'skip' });
    dialogs.importInto({ connectionId, table, jobId });
  } catch (failure) {
    showToast({
      level: 'error',
      title: `${file.name} was not imported`,
      description: `${toApiError(failure).message}. The table is there: import the file into it.`,
    });
  }
}
