import { useQuery } from '@tanstack/react-query';
import type { CountRequest, RowKey, TableDescription } from '@trestle/driver-kit';
import { useMemo, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import type { BarPlaces } from '../../controls/layout/in-bar.tsx';
import { useDelayed } from '../../controls/loading/use-delayed.ts';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import { counted } from '../../controls/text/counted.ts';
import { api } from '../../data/api/api.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { titleColumn } from '../../data/rows/row-title.ts';
import { FarView } from './far-view.tsx';
import { firstThreshold, pairsWithin } from './findings.ts';
import type { DeletionMarks } from './marks.ts';
import styles from './neighbours.module.css';
import { NeighboursBar, type Part } from './neighbours-bar.tsx';
import { PairView } from './pair-view.tsx';
import type { ScanQuestion } from './run-scan.ts';
import { methodText, ScanFoot } from './scan-foot.tsx';
import { progressOf, type ScanRun, useScan } from './use-scan.ts';
import { hasIndex, type VectorChoice, vectorChoices } from './vector-choice.ts';
import { WithoutView } from './without-view.tsx';

interface NeighboursViewProps {
  connectionId: string;
  description: TableDescription;
  /** Table, partition and filters of the tab. */
  request: CountRequest;
  canSearch: boolean;
  bar: BarPlaces;
  marks: DeletionMarks;
  onOpenRow: ((key: RowKey) => void) | undefined;
}

const noVector: VectorChoice = { column: '', distance: 'cosine' };
const usualLimit = 10_000;
const largestLimit = 50_000;

/** Rows that are nearly the same, rows that are far from all others, and rows without a vector. */
export default function NeighboursView(props: NeighboursViewProps) {
  const { connectionId, description, request, marks, onOpenRow } = props;
  const vectors = vectorChoices(description);
  const [column, setColumn] = useState(vectors[0]?.column);
  const [limit, setLimit] = useState(usualLimit);
  const [part, setPart] = useState<Part>('pairs');
  const [threshold, setThreshold] = useState<number | null>(null);
  const byIndex = hasIndex(description, props.canSearch);
  const total = useQuery({
    queryKey: queryKeys.rows(connectionId, request.table, 'count', request),
    queryFn: ({ signal }) => api.tables.count.query({ connectionId, request }, { signal }),
  });
  const question: ScanQuestion = {
    connectionId,
    request,
    vector: vectors.find((choice) => choice.column === column) ?? vectors[0] ?? noVector,
    key: description.key,
    title: titleColumn(description.columns, description.key)?.name,
    limit: byIndex ? limit : usualLimit,
    byIndex,
  };
  const run = useScan(question, total.data);
  const compareMore = () => {
    setLimit(largestLimit);
    run.beginNext({ ...question, limit: largestLimit });
  };
  const { state } = run;
  const known = progressOf(state);
  // The scan stays the same object while rows are compared. `compared` changes, so React sees the progress.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const suggested = useMemo(() => (known ? firstThreshold(known.scan) : 0), [known?.scan, known?.compared]);
  const within = threshold ?? suggested;
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const pairs = useMemo(
    () => (known ? pairsWithin(known.scan, within) : []),
    [known?.scan, known?.compared, within],
  );
  const shared = { connectionId, description, partition: request.partition, marks, onOpenRow };
  return (
    <div className={styles.view}>
      <NeighboursBar
        bar={props.bar}
        part={part}
        counts={{ pairs: known && pairs.length, without: known?.scan.without.length }}
        vectors={vectors.map((choice) => choice.column)}
        vector={question.vector.column}
        onPart={setPart}
        onVector={(next) => {
          setColumn(next);
          setThreshold(null);
        }}
      />
      {total.error && <ErrorNote error={total.error} />}
      {state.stage === 'failed' && (
        <div className={styles.centre}>
          <ErrorNote error={state.error}>
            <Button size="small" onClick={run.again}>
              Try again
            </Button>
          </ErrorNote>
        </div>
      )}
      {!known && state.stage !== 'failed' && total.data !== undefined && (
        <StartNote
          run={run}
          total={total.data}
          limit={question.limit}
          byIndex={byIndex}
          vector={question.vector.column}
        />
      )}
      {known && (
        <>
          {part === 'pairs' && (
            <PairView
              {...shared}
              scan={known.scan}
              pairs={pairs}
              threshold={within}
              isDone={state.stage === 'done' || state.stage === 'cancelled'}
              onThreshold={setThreshold}
            />
          )}
          {part === 'far' && <FarView {...shared} scan={known.scan} compared={known.compared} />}
          {part === 'without' && (
            <WithoutView
              {...shared}
              rows={known.scan.without}
              dimensions={known.scan.dimensions}
              isReading={state.stage === 'reading'}
            />
          )}
          <ScanFoot
            known={known}
            run={run}
            total={total.data}
            method={methodText(byIndex, question.vector)}
            more={
              known.more && byIndex && limit < largestLimit
                ? { rows: largestLimit, onMore: compareMore }
                : undefined
            }
          />
        </>
      )}
    </div>
  );
}

/** Shown before rows are compared: how Trestle compares them, and the button to start. */
function StartNote(props: { run: ScanRun; total: number; limit: number; byIndex: boolean; vector: string }) {
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
