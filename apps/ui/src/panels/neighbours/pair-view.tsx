import type { RowKey } from '@trestle/driver-kit';
import { useMemo, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { shortcutText } from '../../controls/keys/kbd.tsx';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import { showToast } from '../../data/messages/toast.tsx';
import { barLengths, measureText } from '../../data/rows/measure.ts';
import { DistanceBar } from './distance-bar.tsx';
import { copiesIn, crowdedRows, groupsOf, type Pair } from './findings.ts';
import { type DeletionMarks, toggleMark } from './marks.ts';
import styles from './neighbours.module.css';
import { PairDetail } from './pair-detail.tsx';
import type { RowPlace } from './row-values.ts';
import { keptNeighbours, type Scan } from './scan.ts';
import { ShownList } from './shown-list.tsx';
import { ThresholdStrip } from './threshold-strip.tsx';

/** The pairs within the threshold, and the differences of the selected pair. */
export function PairView(
  props: RowPlace & {
    scan: Scan;
    pairs: Pair[];
    threshold: number;
    isDone: boolean;
    marks: DeletionMarks;
    onThreshold(threshold: number): void;
    onOpenRow: ((key: RowKey) => void) | undefined;
  },
) {
  const { scan, pairs, threshold, marks } = props;
  const lengthOf = useMemo(
    () =>
      barLengths(
        pairs.map(({ distance }) => distance),
        true,
      ),
    [pairs],
  );
  const [chosenId, setChosenId] = useState<string>();
  const chosen = pairs.find(({ id }) => id === chosenId) ?? pairs[0];
  const crowded = crowdedRows(scan, threshold, keptNeighbours);
  // The scan stays the same object while rows are compared, but `pairs` is a new list after each change.
  const groups = useMemo(() => groupsOf(scan, pairs), [scan, pairs]);
  const copies = copiesIn(groups, marks.isMarked);
  const unmarked = copies.filter((row) => !marks.isMarked(row));
  const markCopies = () => {
    marks.mark(unmarked);
    showToast({
      title: `${unmarked.length === 1 ? '1 row was' : `${unmarked.length.toLocaleString('en')} rows were`} marked for deletion`,
      description: `In each group, the first row that was not marked stays. ${shortcutText('Mod+Z')} removes these marks.`,
    });
  };
  return (
    <div className={styles.panes}>
      <section className={styles.pane} aria-label="Near duplicates">
        <ThresholdStrip
          scan={scan}
          threshold={threshold}
          pairs={pairs.length}
          onThreshold={props.onThreshold}
        />
        {copies.length > 0 && (
          <div className={styles.paneActs}>
            <Button
              size="small"
              disabled={marks.refusal !== undefined || unmarked.length === 0}
              focusableWhenDisabled
              title={marks.refusal}
              onClick={markCopies}
            >
              Mark all but one of each group ({copies.length.toLocaleString('en')})
            </Button>
          </div>
        )}
        {crowded > 0 && (
          <p className={styles.limit}>
            {crowded === 1 ? '1 row has' : `${crowded.toLocaleString('en')} rows have`} {keptNeighbours} or
            more rows this near. Only the nearest {keptNeighbours} of each row are kept, so some pairs may be
            missing.
          </p>
        )}
        {pairs.length === 0 && props.isDone ? (
          <NoPairs scan={scan} />
        ) : (
          <ShownList
            label="Pairs of rows"
            items={pairs}
            idOf={({ id }) => id}
            chosen={chosen?.id}
            onChoose={setChosenId}
            onKey={(pair, event) => {
              if (event.key !== 'Delete') return;
              event.preventDefault();
              toggleMark(marks, event.shiftKey ? pair.a : pair.b);
            }}
            draw={(pair) => (
              <>
                <span className={styles.pair}>
                  <span data-marked={marks.isMarked(pair.a) || undefined}>{pair.a.title}</span>
                  <span data-marked={marks.isMarked(pair.b) || undefined}>{pair.b.title}</span>
                </span>
                <DistanceBar length={lengthOf(pair.distance)} />
                <span className={styles.figure}>{measureText(pair.distance)}</span>
              </>
            )}
          />
        )}
      </section>
      {chosen && <PairDetail {...props} key={chosen.id} pair={chosen} />}
    </div>
  );
}

function NoPairs({ scan }: { scan: Scan }) {
  if (scan.compared.length < 2) return <EmptyState title="Fewer than two rows can be compared" />;
  if (scan.near.size === 0) return <EmptyState title="No two rows have been compared" />;
  return <EmptyState title="No two rows are this near">A larger threshold may find pairs.</EmptyState>;
}
