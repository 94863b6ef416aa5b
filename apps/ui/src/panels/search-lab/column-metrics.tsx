import { type Metrics, metricLabels, metricNames } from './judging/metrics.ts';
import styles from './search-lab.module.css';

/** The metrics of a column, with their change since the column's previous settings. */
export function ColumnMetrics(props: {
  name: string;
  metrics: Metrics | null;
  before: Metrics | null;
  k: number;
  isBest: boolean;
}) {
  const { metrics, before } = props;
  if (!metrics) return <div />;
  return (
    <dl
      className={styles.metrics}
      aria-label={`Metrics of ${props.name} at ${props.k}`}
      data-best={props.isBest || undefined}
    >
      {metricNames.map((name) => (
        <div key={name}>
          <dt>{name === 'ndcg' ? `nDCG at ${props.k}` : metricLabels[name]}</dt>
          <dd className={styles.metric}>
            {metrics[name].toFixed(2)}
            <Change now={metrics[name]} before={before?.[name]} />
          </dd>
        </div>
      ))}
      {props.isBest && (
        <div className={styles.best}>
          <dt className={styles.hidden}>Place</dt>
          <dd>best</dd>
        </div>
      )}
    </dl>
  );
}

/** The change of a metric, such as `+0.05`. Empty if `before` is undefined, or if the change rounds to 0.00. */
export function Change({ now, before }: { now: number; before: number | undefined }) {
  if (before === undefined) return null;
  const by = now - before;
  if (Math.abs(by) < 0.005) return null;
  return (
    <span className={styles.change} data-up={by > 0 || undefined} data-down={by < 0 || undefined}>
      {by > 0 ? '+' : '−'}
      {Math.abs(by).toFixed(2)}
    </span>
  );
}
