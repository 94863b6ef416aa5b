import type { CountRequest, SearchSupport, TableDescription } from '@trestle/driver-kit';
import { useEffect, useRef, useState } from 'react';
import { counted } from '../../../controls/text/counted.ts';
import { endOfError, windowJob } from '../../../data/jobs/window-job.ts';
import { columnName, columnRequest, type LabColumn } from '../comparison.ts';
import { searchColumn } from '../use-lab-column.ts';
import type { JudgedQuery } from './query-set.ts';
import { type QueryOutcome, runSet, type SetRun } from './run-set.ts';

export interface RunState {
  /** The id of the query set that is run; null before the first run. */
  setId: string | null;
  outcomes: QueryOutcome[];
  /** The `k` of the run. The user may choose another `k` later. */
  k: number;
  /** The number of queries in the run. */
  total: number;
  isRunning: boolean;
}

/** Runs the given queries and reports the progress. Closing the view cancels the run. */
export function useRun(of: {
  connectionId: string;
  description: TableDescription;
  support: SearchSupport;
  within: CountRequest;
  columns: LabColumn[];
  k: number;
  onDone(run: SetRun): void;
}) {
  const [state, setState] = useState<RunState>({
    setId: null,
    k: of.k,
    outcomes: [],
    total: 0,
    isRunning: false,
  });
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const run = async (setId: string, queries: JudgedQuery[]) => {
    controller.current?.abort();
    const own = new AbortController();
    controller.current = own;
    setState({ setId, k: of.k, outcomes: [], total: queries.length, isRunning: true });
    const total = queries.length;
    const { connectionId, within } = of;
    const job = windowJob({ kind: 'judging', connectionId, table: within.table }, () => own.abort());
    let count = 0;
    try {
      const done = await runSet({
        queries,
        columns: of.columns.map(columnName),
        k: of.k,
        signal: own.signal,
        search: (text, column, signal) => foundKeys(of, of.columns[column]!, text, signal),
        onOutcome(outcome) {
          setState((before) => ({ ...before, outcomes: [...before.outcomes, outcome] }));
          count++;
          job.report({ done: count, total, words: `${count} of ${counted(total, 'query', 'queries')}` });
        },
      });
      job.end({ how: 'complete', words: `${counted(total, 'query', 'queries')} judged` });
      of.onDone(done);
    } catch (error) {
      job.end(endOfError(error, own.signal));
      if (!own.signal.aborted) throw error;
    } finally {
      if (controller.current === own) setState((before) => ({ ...before, isRunning: false }));
    }
  };
  return { ...state, run, cancel: () => controller.current?.abort() };
}

type Place = Pick<Parameters<typeof useRun>[0], 'connectionId' | 'description' | 'support' | 'within' | 'k'>;

/** The keys of the found rows, in order of rank. Rows that autocut or the largest distance cuts off are left out. */
async function foundKeys(at: Place, column: LabColumn, text: string, signal: AbortSignal): Promise<string[]> {
  const asked = columnRequest(column, { text, k: at.k, within: at.within, support: at.support });
  if (!asked.ok) throw new Error(asked.problem);
  const found = await searchColumn(at.connectionId, asked.request, at.description, signal);
  return found.rows.slice(0, found.kept).map(({ key }) => key);
}
