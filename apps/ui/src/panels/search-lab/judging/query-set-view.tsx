import type { CountRequest, SearchSupport, TableDescription } from '@trestle/driver-kit';
import { Play, Square } from 'lucide-react';
import { Button } from '../../../controls/buttons/button.tsx';
import { EmptyState } from '../../../controls/marks/empty-state.tsx';
import { counted } from '../../../controls/text/counted.ts';
import { columnName, type LabColumn } from '../comparison.ts';
import styles from './judging.module.css';
import { measuredQueries } from './query-set.ts';
import { beforeOf, Failures, Means } from './run-results.tsx';
import { bestOf } from './run-set.ts';
import { SetTools } from './set-tools.tsx';
import type { QuerySets, StoredSet } from './use-query-sets.ts';
import { useRun } from './use-run.ts';

/**
 * The queries of a set, and the mean metrics of the latest run, with their change since the earlier run that
 * `beforeOf` finds. A run includes only the queries that `measuredQueries` returns.
 */
export function QuerySetView(props: {
  connectionId: string;
  description: TableDescription;
  support: SearchSupport;
  within: CountRequest;
  columns: LabColumn[];
  k: number;
  sets: QuerySets;
  set: (StoredSet & { id: string }) | undefined;
  onSet(id: string): void;
  onQuery(text: string): void;
}) {
  const { sets, set, columns, description } = props;
  const running = useRun({ ...props, onDone: (run) => set && sets.addRun(set.id, run) });
  const runs = set?.runs ?? [];
  const latest = running.isRunning ? undefined : runs.at(-1);
  const judged = measuredQueries(set);
  // The outcomes belong to the set that was run. Another set may have a query with the same text.
  const outcomes = running.setId === set?.id ? running.outcomes : [];
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.text, outcome]));
  const k = outcomes.length > 0 ? running.k : props.k;
  return (
    <div className={styles.view}>
      <div className={styles.tools}>
        <SetTools
          sets={sets}
          set={set}
          onSet={props.onSet}
          keyType={description.columns.find(({ name }) => name === description.key[0])?.type}
        />
        <span className={styles.gap} />
        {running.isRunning && (
          <span role="status">
            {running.outcomes.length} of {counted(running.total, 'query', 'queries')}
          </span>
        )}
        {running.isRunning ? (
          <Button size="small" icon={<Square size={13} aria-hidden />} onClick={running.cancel}>
            Cancel
          </Button>
        ) : (
          <Button
            size="small"
            variant="primary"
            icon={<Play size={13} aria-hidden />}
            disabled={judged.length === 0}
            focusableWhenDisabled
            onClick={() => set && void running.run(set.id, judged)}
          >
            Run all
          </Button>
        )}
      </div>
      {running.isRunning && (
        <progress className={styles.progress} value={running.outcomes.length} max={running.total} />
      )}
      {!running.isRunning && <Failures outcomes={outcomes} />}
      {!set || set.queries.length === 0 ? (
        <EmptyState title="No query is judged yet">
          Mark results as right or wrong with R and W under “One query”, or import a CSV of queries and the
          ids they should find.
        </EmptyState>
      ) : (
        <div className={styles.tables}>
          {latest && <Means run={latest} before={beforeOf(runs)} />}
          <table className={styles.table} aria-label="Queries">
            <thead>
              <tr>
                <th scope="col">Query</th>
                <th scope="col" className={styles.figure}>
                  Right
                </th>
                {columns.map((column) => (
                  <th key={column.id} scope="col" className={styles.figure}>
                    {columnName(column)} <small>nDCG at {k}</small>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {set.queries.map((query) => {
                const outcome = outcomeOf.get(query.text);
                const best = outcome ? bestOf(outcome.metrics) : null;
                return (
                  <tr key={query.text}>
                    <th scope="row">
                      <button
                        type="button"
                        className={styles.query}
                        onClick={() => props.onQuery(query.text)}
                      >
                        {query.text}
                      </button>
                    </th>
                    <td className={styles.figure}>{query.right.length}</td>
                    {columns.map((column, at) => (
                      <td key={column.id} className={styles.figure} data-best={best === at || undefined}>
                        {outcome?.errors[at] ? (
                          <span className={styles.failed} title={outcome.errors[at] ?? ''}>
                            failed
                          </span>
                        ) : (
                          (outcome?.metrics[at]?.ndcg.toFixed(2) ?? '–')
                        )}
                      </td>
                    ))}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
