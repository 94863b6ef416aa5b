import type { RowKey } from '@trestle/driver-kit';
import { useState } from 'react';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import { type DeletionMarks, toggleMark } from './marks.ts';
import styles from './neighbours.module.css';
import { RowDetail } from './row-detail.tsx';
import type { RowPlace } from './row-values.ts';
import type { ScannedRow } from './scan.ts';
import { ShownList } from './shown-list.tsx';
import { withoutWords } from './without-words.ts';

/** The rows without a vector, or with one that cannot be compared. */
export function WithoutView(
  props: RowPlace & {
    rows: ScannedRow[];
    /** The length of the compared vectors. Undefined if the database compares them. */
    dimensions: number | undefined;
    /** More rows may follow. */
    isReading: boolean;
    marks: DeletionMarks;
    onOpenRow: ((key: RowKey) => void) | undefined;
  },
) {
  const { rows, marks } = props;
  const [chosenId, setChosenId] = useState<string>();
  const chosen = rows.find(({ id }) => id === chosenId) ?? rows[0];
  if (rows.length === 0) {
    return (
      <EmptyState title={props.isReading ? 'Reading the rows' : 'Every row that was read has this vector'} />
    );
  }
  return (
    <div className={styles.panes}>
      <section className={styles.pane} aria-label="Rows without a vector">
        <p className={styles.method}>{withoutWords(rows.length, props.dimensions)}</p>
        <ShownList
          label="Rows without this vector"
          items={rows}
          idOf={({ id }) => id}
          chosen={chosen?.id}
          onChoose={setChosenId}
          onKey={(row, event) => {
            if (event.key === 'Enter' && props.onOpenRow) {
              event.preventDefault();
              props.onOpenRow(row.key);
            }
            if (event.key !== 'Delete') return;
            event.preventDefault();
            toggleMark(marks, row);
          }}
          draw={(row) => (
            <span className={styles.single} data-marked={marks.isMarked(row) || undefined}>
              {row.title}
            </span>
          )}
        />
      </section>
      {chosen && <RowDetail {...props} key={chosen.id} row={chosen} nearest={[]} />}
    </div>
  );
}
