import { useDelayed } from '../controls/loading/use-delayed.ts';
import styles from './skeleton-rows.module.css';

/** Placeholder bars at the height of rows, while rows load and none are shown. */
export function SkeletonRows({ columns }: { columns: number }) {
  if (!useDelayed(true)) return null;
  const shown = Math.max(3, Math.min(columns, 8));
  return (
    <div className={styles.skeleton} aria-hidden data-skeleton>
      {Array.from({ length: 40 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows never move
        <div key={row} className={styles.row}>
          {Array.from({ length: shown }, (_, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <span key={column} className={styles.cell}>
              <span className={styles.bar} style={{ width: `${widthOf(row, column)}%` }} />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}

/** The width of a bar in percent. It varies as words do, and is the same at each render. */
function widthOf(row: number, column: number): number {
  return 35 + ((row * 37 + column * 53) % 5) * 12;
}
