import type { ColumnLayout } from './column-layout.ts';
import { rankLines } from './ranks.ts';
import styles from './search-lab.module.css';

/** Lines from the rows of one column to the same rows of the next column. */
export function RankLines(props: {
  left: { keys: string[]; layout: ColumnLayout };
  right: { keys: string[]; layout: ColumnLayout };
  chosen: string | null;
  lit: string | null;
}) {
  const { left, right } = props;
  const height = Math.max(left.layout.height, right.layout.height, 1);
  const lines = rankLines(left.keys, right.keys).map((line) => ({
    ...line,
    isLit: line.key === props.chosen || line.key === props.lit,
  }));
  // Highlighted lines are drawn above the others.
  lines.sort((a, b) => Number(a.isLit) - Number(b.isLit));
  return (
    <svg
      className={styles.lines}
      viewBox={`0 0 72 ${height}`}
      height={height}
      preserveAspectRatio="none"
      aria-hidden
    >
      {lines.map(({ key, from, to, isLit }) => {
        const y1 = from === null ? null : (left.layout.middles[from] ?? 0);
        const y2 = to === null ? null : (right.layout.middles[to] ?? 0);
        const isStub = y1 === null || y2 === null;
        return (
          <g key={`${key} ${from} ${to}`}>
            <path
              className={styles.line}
              data-stub={isStub || undefined}
              data-lit={isLit || undefined}
              data-moved={(!isStub && from !== to) || undefined}
              d={pathOf(y1, y2)}
            />
            {isLit && !isStub && (
              <>
                <circle className={styles.end} cx={2} cy={y1} r={3} />
                <circle className={styles.end} cx={70} cy={y2} r={3} />
              </>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function pathOf(from: number | null, to: number | null): string {
  if (from === null) return `M 58 ${to} H 70`;
  if (to === null) return `M 2 ${from} H 14`;
  return `M 2 ${from} C 36 ${from} 36 ${to} 70 ${to}`;
}
