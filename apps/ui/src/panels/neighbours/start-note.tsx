import { Button } from '../../controls/buttons/button.tsx';
import { useDelayed } from '../../controls/loading/use-delayed.ts';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import { counted } from '../../controls/text/counted.ts';
import type { ScanRun } from './use-scan.ts';

/** Shown before rows are compared: how Trestle compares them, and the button to start. */
export function StartNote(props: {
  run: ScanRun;
  total: number;
  limit: number;
  byIndex: boolean;
  vector: string;
}) {
  const { run, total, limit, byIndex, vector } = props;
  if (total === 0) return <EmptyState title="There are no rows to compare" />;
  if (!run.isWaiting && run.state.stage !== 'cancelled') return <FirstRead run={run} />;
  const rows = counted(Math.min(total, limit), 'row');
  const act = total > limit ? `Compare the first ${rows}` : `Compare ${rows}`;
  return (
    <EmptyState
      title="Rows that are nearly the same, and rows far from all others"
      action={
        <Button variant="primary" onClick={run.state.stage === 'cancelled' ? run.again : run.begin}>
          {act}
        </Button>
      }
    >
      {byIndex
        ? `One search by ${vector} for each row, three at a time. You can cancel the comparison.`
        : `The rows are read and compared in this window by ${vector}. You can cancel the comparison.`}
    </EmptyState>
  );
}

/** Shown until the first rows arrive, which may take long. */
function FirstRead({ run }: { run: ScanRun }) {
  const isSlow = useDelayed(true, 500);
  if (!isSlow) return null;
  return <EmptyState title="Reading the rows" action={<Button onClick={run.cancel}>Cancel</Button>} />;
}
