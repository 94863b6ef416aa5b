import { Button } from '../shared/button.tsx';
import type { MapState } from './use-vector-map.ts';
import styles from './vector-map.module.css';

/** How far the map is, what it leaves out, and what can be done about it. */
export function MapFoot(props: {
  state: MapState;
  total: number | undefined;
  without: number;
  limit: number;
  onCancel(): void;
  onAgain(): void;
  onMore: (() => void) | undefined;
}) {
  const { state, total, without } = props;
  return (
    <div className={styles.foot} aria-live="polite">
      {state.stage === 'reading' && (
        <>
          <span>
            Reading {state.read.toLocaleString()}
            {total !== undefined && ` of ${Math.min(total, props.limit).toLocaleString()}`} rows
            {state.rate > 0 && `, ${state.rate.toLocaleString()} a second`}
          </span>
          <Button size="small" onClick={props.onCancel}>
            Cancel
          </Button>
        </>
      )}
      {state.stage === 'laying' && (
        <>
          <span>
            Laying out {state.read.toLocaleString()} rows, {Math.round(state.progress * 100)} %
          </span>
          <Button size="small" onClick={props.onCancel}>
            Cancel
          </Button>
        </>
      )}
      {state.stage === 'cancelled' && (
        <>
          <span>Cancelled. The map is not finished.</span>
          <Button size="small" onClick={props.onAgain}>
            Draw it
          </Button>
        </>
      )}
      {state.stage === 'done' && <span>{(state.drawn.positions.length / 2).toLocaleString()} points</span>}
      {without > 0 && (
        <span className={styles.without}>
          {without.toLocaleString()} {without === 1 ? 'row has' : 'rows have'} no vector
        </span>
      )}
      {state.stage === 'done' && state.more && (
        <span>
          The first {props.limit.toLocaleString()} by id, of {total?.toLocaleString() ?? 'more'}.{' '}
          {props.onMore && (
            <Button size="small" variant="quiet" onClick={props.onMore}>
              Read 100,000
            </Button>
          )}
        </span>
      )}
      <span className={styles.hint}>Near on the map is near in meaning. Distances are not exact.</span>
    </div>
  );
}
