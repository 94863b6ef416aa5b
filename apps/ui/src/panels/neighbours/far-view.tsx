import type { RowKey } from '@trestle/driver-kit';
import { useMemo, useState } from 'react';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import { barLengths, measureText } from '../../data/rows/measure.ts';
import { DistanceBar } from './distance-bar.tsx';
import { countedNeighbours, type FarRow, farRows } from './findings.ts';
import { type DeletionMarks, toggleMark } from './marks.ts';
import styles from './neighbours.module.css';
import { RowDetail } from './row-detail.tsx';
import type { RowPlace } from './row-values.ts';
import type { Scan } from './scan.ts';
import { ShownList } from './shown-list.tsx';

/** The list has at most this many rows. */
const mostRows = 500;

/** The rows that are farthest from the others, and the nearest rows of the selected row. */
export function FarView(
  props: RowPlace & {
    scan: Scan;
    compared: number;
    marks: DeletionMarks;
    onOpenRow: ((key: RowKey) => void) | undefined;
  },
) {
  const { scan, compared, marks } = props;
  const [chosenId, setChosenId] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scan grows in place
  const far = useMemo(() => farRows(scan, mostRows), [scan, compared]);
  const chosen = far.find(({ row }) => row.id === chosenId) ?? far[0];
  const lengthOf = useMemo(
    () =>
      barLengths(
        far.map(({ distance }) => distance),
        true,
      ),
    [far],
  );
  return (
    <div className={styles.panes}>
      <section className={styles.pane} aria-label="Far from all">
        <p className={styles.method}>
          Ranked by the mean distance to the {countedNeighbours} nearest rows, the farthest first.
        </p>
        {far.length === 0 ? (
          <EmptyState title="No two rows have been compared" />
        ) : (
          <ShownList<FarRow>
            label="Rows far from all others"
            items={far}
            idOf={({ row }) => row.id}
            chosen={chosen?.row.id}
            onChoose={setChosenId}
            onKey={({ row }, event) => {
              if (event.key === 'Enter' && props.onOpenRow) {
                event.preventDefault();
                props.onOpenRow(row.key);
              }
              if (event.key !== 'Delete') return;
              event.preventDefault();
              toggleMark(marks, row);
            }}
            draw={({ row, distance }) => (
              <>
                <span className={styles.single} data-marked={marks.isMarked(row) || undefined}>
                  {row.title}
                </span>
                <DistanceBar length={lengthOf(distance)} />
                <span className={styles.figure}>{measureText(distance)}</span>
              </>
            )}
          />
        )}
      </section>
      {chosen && <RowDetail {...props} key={chosen.row.id} row={chosen.row} nearest={chosen.nearest} />}
    </div>
  );
}
