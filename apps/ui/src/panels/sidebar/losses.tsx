import { Trash2 } from 'lucide-react';
import styles from './delete-table.module.css';
import type { LossLine } from './loss-words.ts';

/** The list of losses. Without losses, as for a view, nothing is shown. */
export function Losses({ lines }: { lines: LossLine[] }) {
  if (lines.length === 0) return null;
  return (
    <section className={styles.loss} aria-label="Lost for good">
      <p className={styles.lossTitle}>
        <Trash2 size={13} aria-hidden /> Lost for good
      </p>
      <dl>
        {lines.map(({ count, words }) => (
          <div key={words}>
            <dt>{count}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
