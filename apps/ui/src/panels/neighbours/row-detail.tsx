import { ownValue, type RowKey } from '@trestle/driver-kit';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { measureText } from '../../data/rows/measure.ts';
import type { FarRow } from './findings.ts';
import type { DeletionMarks } from './marks.ts';
import styles from './neighbours.module.css';
import { useReferenceTitles } from './reference-titles.ts';
import { RowActs } from './row-acts.tsx';
import { type RowPlace, useRowValues } from './row-values.ts';
import type { ScannedRow } from './scan.ts';
import { valueText } from './value-text.tsx';

/** One row: its values, and the rows that are nearest to it. */
export function RowDetail(
  props: RowPlace & {
    row: ScannedRow;
    nearest: FarRow['nearest'];
    marks: DeletionMarks;
    onOpenRow: ((key: RowKey) => void) | undefined;
  },
) {
  const { row, nearest, marks, onOpenRow, description } = props;
  const values = useRowValues(props, row.key);
  const titles = useReferenceTitles(props, [values.data]);
  const columns = description.columns.filter(
    ({ name, hidden, deferred, vector }) =>
      !hidden && !deferred && !vector && !description.key.includes(name),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus
    <section className={styles.detail} aria-label={`Row ${row.title}`} tabIndex={0}>
      <header className={styles.detailHead}>
        <h3 className={styles.rowTitle}>{row.title}</h3>
        <code className={styles.rowKey}>{row.id}</code>
        <RowActs row={row} marks={marks} onOpenRow={onOpenRow} />
        {marks.isMarked(row) && <span className={styles.marked}>Marked for deletion</span>}
      </header>
      {values.error && <ErrorNote error={values.error} />}
      {values.data === null && <p className={styles.limit}>This row no longer exists.</p>}
      {nearest.length > 0 && (
        <>
          <h4>Nearest rows</h4>
          <ol className={styles.nearest} aria-label="Nearest rows">
            {nearest.map(({ row: other, distance }) => (
              <li key={other.id}>
                <span>{other.title}</span>
                <span className={styles.figure}>{measureText(distance)}</span>
              </li>
            ))}
          </ol>
        </>
      )}
      {values.data && (
        <table className={styles.compared}>
          <tbody>
            {columns.map(({ name }) => {
              const cell = ownValue(values.data, name) ?? null;
              return (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{valueText(cell, titles(name, cell))}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}
