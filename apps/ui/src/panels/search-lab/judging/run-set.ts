import { type Metrics, meanMetrics, metricsAt } from './metrics.ts';
import type { JudgedQuery } from './query-set.ts';

/** One run of a set: the mean metrics of each column. It is stored, so that later runs can be compared with it. */
export interface SetRun {
  at: string;
  k: number;
  columns: { name: string; mean: Metrics | null; failed: number }[];
}

export interface QueryOutcome {
  text: string;
  /** By column; null if the search failed or no row is marked right. */
  metrics: (Metrics | null)[];
  errors: (string | null)[];
}

/**
 * Runs each query in each column. A failed search does not stop the others. `search` returns the keys of the rows in
 * order of rank. `onOutcome` is called after each query.
 */
export async function runSet(run: {
  queries: JudgedQuery[];
  columns: string[];
  k: number;
  signal: AbortSignal;
  search(query: string, column: number, signal: AbortSignal): Promise<string[]>;
  onOutcome(outcome: QueryOutcome): void;
}): Promise<SetRun> {
  const outcomes: QueryOutcome[] = [];
  for (const query of run.queries) {
    run.signal.throwIfAborted();
    const searches = run.columns.map((_, column) => run.search(query.text, column, run.signal));
    const settled = await Promise.allSettled(searches);
    run.signal.throwIfAborted();
    const outcome: QueryOutcome = {
      text: query.text,
      metrics: settled.map((one) =>
        one.status === 'fulfilled' ? metricsAt(one.value, query.right, run.k) : null,
      ),
      errors: settled.map((one) => (one.status === 'rejected' ? wordsOf(one.reason) : null)),
    };
    outcomes.push(outcome);
    run.onOutcome(outcome);
  }
  return {
    at: new Date().toISOString(),
    k: run.k,
    columns: run.columns.map((name, column) => ({
      name,
      mean: meanMetrics(outcomes.map(({ metrics }) => metrics[column] ?? null)),
      failed: outcomes.filter(({ errors }) => errors[column] !== null).length,
    })),
  };
}

function wordsOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

/**
 * The index of the column with the highest nDCG. Null if several columns share the highest nDCG, if no nDCG is above
 * 0, or if there is only one column.
 */
export function bestOf(metrics: (Metrics | null | undefined)[]): number | null {
  const scores = metrics.map((one) => one?.ndcg ?? -1);
  const best = Math.max(...scores);
  const isOne = scores.filter((score) => score === best).length === 1;
  return best > 0 && isOne && scores.length > 1 ? scores.indexOf(best) : null;
}
