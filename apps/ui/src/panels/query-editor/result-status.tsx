import type { RunResult } from '@trestle/driver-kit';
import { counted } from '../../controls/text/counted.ts';
import { durationText } from './duration-text.ts';
import styles from './results.module.css';
import type { ResultsState } from './use-results.ts';

/** The line below a result: its size, its duration, and how many statements did not run. */
export function ResultStatus(props: { results: ResultsState; rowWords: [string, string] }) {
  const { shown, batch } = props.results;
  if (!shown || !batch) return null;
  const { run, result } = shown;
  const left = batch.left > 0 && (
    <span className={styles.left}>
      {batch.left === 1 ? 'One statement did not run' : `${batch.left} statements did not run`}
    </span>
  );
  if (run.state === 'cancelled') {
    return left ? (
      <div className={styles.status} role="status">
        {left}
      </div>
    ) : null;
  }
  if (run.state === 'failed') {
    return (
      <div className={styles.status} role="status">
        <span>Failed</span>
        {left}
        <span className={styles.duration}>{durationText(run.afterMs)}</span>
      </div>
    );
  }
  const { outcome } = run;
  const hasErrors = outcome.messages.some(({ level }) => level === 'error');
  return (
    <div className={styles.status} role="status">
      <span>{result ? resultText(result, props.rowWords) : hasErrors ? 'No data' : 'Done'}</span>
      {result?.kind === 'rows' && result.truncated && (
        <span className={styles.cut}>
          Only the first {result.rows.rowCount.toLocaleString('en')} were read
        </span>
      )}
      {left}
      <span className={styles.duration}>{durationText(outcome.durationMs)}</span>
    </div>
  );
}

function resultText(result: RunResult, [one, many]: [string, string]): string {
  if (result.kind === 'document') return result.title ?? 'Document';
  const count = result.kind === 'rows' ? result.rows.rowCount : result.rows;
  const words = counted(count, one, many);
  return result.kind === 'rows' ? words : `${words} affected`;
}
