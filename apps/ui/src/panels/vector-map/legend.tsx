import { classNames } from '../../controls/styles/class-names.ts';
import type { Colouring } from './colouring.ts';
import styles from './vector-map.module.css';

/** The meaning of the colours. A click on an entry hides or shows its category. */
export function Legend(props: {
  title: string;
  colouring: Colouring;
  palette: string[];
  off: ReadonlySet<number>;
  onToggle(entry: number): void;
}) {
  const { colouring, off } = props;
  if (colouring.kind === 'scale') {
    return (
      <div className={styles.legend} data-legend>
        <p className={styles.legendTitle}>{props.title}</p>
        <div className={styles.scale} />
        <p className={styles.ends}>
          <span>{colouring.least}</span>
          <span>{colouring.most}</span>
        </p>
      </div>
    );
  }
  if (colouring.entries.length === 0) return null;
  return (
    <div className={styles.legend} data-legend>
      <p className={styles.legendTitle}>{props.title}</p>
      <ul>
        {colouring.entries.map(({ label, count }, index) => (
          <li key={label}>
            <button
              type="button"
              aria-pressed={!off.has(index)}
              className={classNames(styles.entry, off.has(index) && styles.off)}
              onClick={() => props.onToggle(index)}
            >
              <span className={styles.dot} style={{ '--colour': props.palette[index] }} />
              <span className={styles.entryName}>{label}</span>
              <span>{count.toLocaleString('en')}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
