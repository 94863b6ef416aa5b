import type { RowKey } from '@trestle/driver-kit';
import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { measureText } from '../../data/rows/measure.ts';
import { type Compared, differences } from './differences.ts';
import type { Pair } from './findings.ts';
import type { DeletionMarks } from './marks.ts';
import styles from './neighbours.module.css';
import { useReferenceTitles } from './reference-titles.ts';
import { RowActs } from './row-acts.tsx';
import { type RowPlace, useRowValues } from './row-values.ts';
import type { ScannedRow } from './scan.ts';
import { valueText } from './value-text.tsx';

/** Two rows side by side. Values that differ come first. */
export function PairDetail(
  props: RowPlace & { pair: Pair; marks: DeletionMarks; onOpenRow: ((key: RowKey) => void) | undefined },
) {
  const { pair, marks, onOpenRow } = props;
  const [a, b] = [useRowValues(props, pair.a.key), useRowValues(props, pair.b.key)];
  const [showsSame, setShowsSame] = useState(false);
  const titles = useReferenceTitles(props, [a.data, b.data]);
  const error = a.error ?? b.error;
  const head = (row: ScannedRow) => (
    <th scope="col" data-marked={marks.isMarked(row) || undefined}>
      <span className={styles.rowTitle}>{row.title}</span>
      <code className={styles.rowKey}>{row.id}</code>
      <RowActs row={row} marks={marks} onOpenRow={onOpenRow} />
      {marks.isMarked(row) && <span className={styles.marked}>Marked for deletion</span>}
    </th>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus
    <section className={styles.detail} aria-label="What differs" tabIndex={0}>
      {error && <ErrorNote error={error} />}
      <table className={styles.compared}>
        <thead>
          <tr>
            <td>
              <span className={styles.figure}>{measureText(pair.distance)}</span>
              <small>apart</small>
            </td>
            {head(pair.a)}
            {head(pair.b)}
          </tr>
        </thead>
        {a.data && b.data && (
          <Values
            {...differences(props.description, a.data, b.data)}
            titles={titles}
            showsSame={showsSame}
            onShowSame={() => setShowsSame(!showsSame)}
          />
        )}
      </table>
      {(a.data === null || b.data === null) && (
        <p className={styles.limit}>{goneText(a.data === null, b.data === null)}</p>
      )}
    </section>
  );
}

function goneText(isFirstGone: boolean, isSecondGone: boolean): string {
  if (isFirstGone && isSecondGone) return 'Neither row exists any more.';
  return `The ${isFirstGone ? 'first' : 'second'} row no longer exists.`;
}

function Values(props: {
  differing: Compared[];
  same: Compared[];
  titles: ReturnType<typeof useReferenceTitles>;
  showsSame: boolean;
  onShowSame(): void;
}) {
  const { differing, same, titles, showsSame } = props;
  const line = ({ column, a, b }: Compared, isSame: boolean) => (
    <tr key={column.name} data-same={isSame || undefined}>
      <th scope="row">{column.name}</th>
      <td>{valueText(a, titles(column.name, a))}</td>
      <td>{valueText(b, titles(column.name, b))}</td>
    </tr>
  );
  return (
    <tbody>
      {differing.length === 0 && (
        <tr>
          <td colSpan={3} className={styles.equal}>
            Every compared value is the same.
          </td>
        </tr>
      )}
      {differing.map((one) => line(one, false))}
      {same.length > 0 && (
        <tr>
          <td colSpan={3}>
            <Button size="small" variant="quiet" aria-expanded={showsSame} onClick={props.onShowSame}>
              {same.length === 1 ? '1 value is the same' : `${same.length} values are the same`}
            </Button>
          </td>
        </tr>
      )}
      {showsSame && same.map((one) => line(one, true))}
    </tbody>
  );
}
