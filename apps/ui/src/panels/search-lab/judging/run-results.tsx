import { Note } from '../../../data/messages/error-note.tsx';
import { Change } from '../column-metrics.tsx';
import styles from './judging.module.css';
import { metricLabels, metricNames } from './metrics.ts';
import { bestOf, type QueryOutcome, type SetRun } from './run-set.ts';

/**
 * The run to compare the latest one with: the last earlier run without a failed search. Undefined if there is no
 * such run, if a search of the latest run failed, or if `k` differs between the two runs.
 * The means of a run with failed searches leave queries out, so they are not compared.
 */
export function beforeOf(runs: SetRun[]): SetRun | undefined {
  const whole = runs.filter(({ columns }) => columns.every(({ failed }) => failed === 0));
  const [before, latest] = [whole.at(-2), whole.at(-1)];
  return before && latest === runs.at(-1) && before.k === latest?.k ? before : undefined;
}

/** How many searches of the last run failed, and the first reason. */
export function Failures({ outcomes }: { outcomes: QueryOutcome[] }) {
  const searches = outcomes.flatMap(({ errors }) => errors);
  const reasons = searches.filter((error) => error !== null);
  if (reasons.length === 0) return null;
  return (
    <Note level="error" className={styles.failures}>
      {reasons.length} of {searches.length} searches failed: {reasons[0]?.replace(/\.$/, '')}. The means leave
      failed searches out. To include them, run all again.
    </Note>
  );
}

export function Means({ run, before }: { run: SetRun; before: SetRun | undefined }) {
  const best = bestOf(run.columns.map(({ mean }) => mean));
  return (
    <table className={styles.table} aria-label="Metrics of each column">
      <thead>
        <tr>
          <th scope="col">Mean at {run.k}</th>
          {metricNames.map((name) => (
            <th key={name} scope="col" className={styles.figure}>
              {metricLabels[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {run.columns.map(({ name, mean, failed }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name
          <tr key={at}>
            <th scope="row">
              {name}
              {before?.columns[at] && before.columns[at].name !== name && (
                <small> before: {before.columns[at].name}</small>
              )}
              {failed > 0 && <span className={styles.failed}> {failed} failed</span>}
              {best === at && <span className={styles.best}>best</span>}
            </th>
            {metricNames.map((metric) => (
              <td key={metric} className={styles.figure}>
                {mean?.[metric].toFixed(2) ?? '–'}
                {mean && <Change now={mean[metric]} before={before?.columns[at]?.mean?.[metric]} />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
