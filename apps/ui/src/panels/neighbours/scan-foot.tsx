import { RotateCw } from 'lucide-react';
import { Button } from '../../controls/buttons/button.tsx';
import { counted } from '../../controls/text/counted.ts';
import styles from './neighbours.module.css';
import type { ScanProgress } from './run-scan.ts';
import { keptNeighbours } from './scan.ts';
import type { ScanRun } from './use-scan.ts';
import type { VectorChoice } from './vector-choice.ts';

/** The progress of the comparison, its method, and how much of the table it covers. */
export function ScanFoot(props: {
  known: ScanProgress;
  run: ScanRun;
  total: number | undefined;
  method: string;
  /** Compares more rows; undefined if there are none, or if the limit cannot grow. */
  more: { rows: number; onMore(): void } | undefined;
}) {
  const { known, run, total, method } = props;
  const { scan, stage } = known;
  const compared = Math.max(0, known.compared - scan.failed.count);
  const isRunning = run.state.stage === 'reading' || run.state.stage === 'comparing';
  const rows = scan.compared.length;
  const read = rows + scan.without.length;
  const all = counted(total ?? rows, 'row');
  return (
    <footer className={styles.foot}>
      {isRunning && (
        <>
          <progress
            className={styles.progress}
            aria-label={stage === 'reading' ? 'Rows read' : 'Rows compared'}
            max={rows || 1}
            value={stage === 'reading' ? undefined : known.compared}
          />
          <span role="status">
            {stage === 'reading'
              ? `${read.toLocaleString('en')} of ${all} read`
              : `${compared.toLocaleString('en')} of ${counted(rows, 'row')} compared`}
          </span>
          <Button size="small" onClick={run.cancel}>
            Cancel
          </Button>
        </>
      )}
      {!isRunning && (
        <span title={method}>
          {run.state.stage === 'cancelled' && 'Cancelled. '}
          {compared.toLocaleString('en')} of {all} compared. {method}
        </span>
      )}
      {scan.failed.count > 0 && (
        <span className={styles.failed} title={scan.failed.reason}>
          {scan.failed.count.toLocaleString('en')} could not be compared: {scan.failed.reason}
        </span>
      )}
      <span className={styles.gap} />
      {!isRunning && props.more && (
        <Button size="small" variant="quiet" onClick={props.more.onMore}>
          Compare up to {props.more.rows.toLocaleString('en')}
        </Button>
      )}
      {!isRunning && (
        <Button size="small" variant="quiet" icon={<RotateCw size={13} aria-hidden />} onClick={run.again}>
          Compare again
        </Button>
      )}
    </footer>
  );
}

export function methodText(byIndex: boolean, { distance }: Pick<VectorChoice, 'distance'>): string {
  return byIndex
    ? `The index gave the ${keptNeighbours} nearest rows of each row, and may miss some.`
    : `Each row was compared with every other row, by ${distance} distance.`;
}
