import type { ClusterLabel } from './cluster-labels.ts';
import { queryLabelOffset } from './query-label.ts';
import type { LitRow } from './use-lit-rows.ts';
import styles from './vector-map.module.css';
import { onScreen, type Viewport } from './viewport.ts';

/** The layer over the points, with for example names of clusters, ranks of a search and lines to neighbours. */
export function MapOverlay(props: {
  positions: Float32Array;
  viewport: Viewport;
  labels: ClusterLabel[];
  lit: LitRow[];
  showQuery: boolean;
  chosen: number;
  /** The point under the pointer or at the keyboard cursor; -1 for none. */
  current: number;
  neighbours: LitRow[];
}) {
  const { positions, viewport, chosen } = props;
  const place = (point: number) => onScreen(viewport, positions, point);
  const ranks = props.lit.flatMap(({ point, rank }) =>
    point === undefined ? [] : [{ rank, at: place(point) }],
  );
  const query = props.showQuery ? queryPlace(ranks) : undefined;
  const currentAt =
    props.current >= 0 && props.current * 2 < positions.length ? place(props.current) : undefined;
  const chosenAt = chosen >= 0 && chosen * 2 < positions.length ? place(chosen) : undefined;
  return (
    <>
      {props.lit.length === 0 &&
        props.labels.map(({ x, y, text }) => (
          <text
            key={text}
            className={styles.label}
            x={x * viewport.scale + viewport.x}
            y={y * viewport.scale + viewport.y - 14}
          >
            {text}
          </text>
        ))}
      {chosenAt &&
        props.neighbours.map(({ point, rank }) => {
          if (point === undefined) return null;
          const { x, y } = place(point);
          return (
            <g key={rank}>
              <line className={styles.line} x1={chosenAt.x} y1={chosenAt.y} x2={x} y2={y} />
              <circle className={styles.ring} cx={x} cy={y} r={4} />
            </g>
          );
        })}
      {currentAt && <circle className={styles.ring} cx={currentAt.x} cy={currentAt.y} r={6} />}
      {chosenAt && <circle className={styles.chosen} cx={chosenAt.x} cy={chosenAt.y} r={6} />}
      {query && (
        <g transform={`translate(${query.x} ${query.y})`}>
          <rect className={styles.query} x={-6} y={-6} width={12} height={12} transform="rotate(45)" />
          <text
            className={styles.label}
            {...queryLabelOffset(
              query,
              ranks.map(({ at }) => at),
            )}
          >
            your query
          </text>
        </g>
      )}
      {ranks.map(({ at: { x, y }, rank }) => (
        <g key={rank}>
          <circle className={styles.disc} cx={x} cy={y} r={8} />
          <text className={styles.rank} x={x} y={y}>
            {rank}
          </text>
        </g>
      ))}
    </>
  );
}

/**
 * The position of the query: the mean of its five best rows, weighted by rank. Rows that are not on the map do not
 * count. Undefined if none of the five is on the map. The layout itself has no position for the query.
 */
function queryPlace(ranks: { rank: number; at: { x: number; y: number } }[]) {
  const best = ranks.filter(({ rank }) => rank <= 5);
  if (best.length === 0) return undefined;
  const weights = best.reduce((sum, { rank }) => sum + 1 / rank, 0);
  const mean = (axis: 'x' | 'y') => best.reduce((sum, { rank, at }) => sum + at[axis] / rank, 0) / weights;
  return { x: mean('x'), y: mean('y') };
}
