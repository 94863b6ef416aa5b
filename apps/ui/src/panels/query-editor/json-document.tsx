import type { Json, RowSet } from '@trestle/driver-kit';
import { useMemo, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { JsonTree } from '../../controls/json/json-tree.tsx';
import styles from './json-document.module.css';
import { rowJson } from './result-file.ts';

/** A document as formatted JSON that folds at its brackets. Folded parts are not drawn. */
export function JsonDocument({ value }: { value: Json }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long document is scrolled by keyboard
    <section className={styles.document} aria-label="Document" tabIndex={0}>
      <JsonTree value={value} />
    </section>
  );
}

/** The number of rows drawn at first. Drawing all rows may be slow: a single vector may have thousands of numbers. */
const step = 50;

/** The rows of a result as JSON, a part of them at a time. */
export function JsonRows({ rows }: { rows: RowSet }) {
  const [shown, setShown] = useState({ of: rows, count: step });
  // A new result starts again with few rows.
  const count = Math.min(shown.of === rows ? shown.count : step, rows.rowCount);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long document is scrolled by keyboard
    <section className={styles.document} aria-label="Rows as JSON" tabIndex={0}>
      {rows.rowCount === 0 && '[]'}
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a result never change their places
        <JsonRow key={row} rows={rows} row={row} />
      ))}
      {rows.rowCount > count && (
        <Button size="small" variant="quiet" onClick={() => setShown({ of: rows, count: count + step * 4 })}>
          {(rows.rowCount - count).toLocaleString('en')} more
        </Button>
      )}
    </section>
  );
}

function JsonRow({ rows, row }: { rows: RowSet; row: number }) {
  const value = useMemo(() => rowJson(rows, row), [rows, row]);
  return <JsonTree value={value} />;
}
