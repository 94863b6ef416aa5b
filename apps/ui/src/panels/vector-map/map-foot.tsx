import { Button } from '../../controls/buttons/button.tsx';
import { counted } from '../../controls/text/counted.ts';
import { timeAgo } from '../../controls/text/time-ago.ts';
import type { MapState } from './map-question.ts';
import styles from './vector-map.module.css';

/** The line below the map: progress, rows that are left out, and buttons to cancel, read again or read more. */
export function MapFoot(props: {
  state: MapState;
  total: number | undefined;
  without: number;
  limit: number;
  /** The rows are a random sample. */
  sample: boolean;
  /** Rows may have changed since the map was drawn. */
  isChanged: boolean;
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
            Reading{' '}
            {total === undefined
              ? counted(state.read, 'row')
              : `${state.read.toLocaleString('en')} of ${counted(Math.min(total, props.limit), 'row')}`}
            {state.rate > 0 && `, ${state.rate.toLocaleString('en')} a second`}
          </span>
          <Button size="small" onClick={props.onCancel}>
            Cancel
          </Button>
        </>
      )}
      {state.stage === 'laying' && (
        <>
          <span>
            Laying out {counted(state.read, 'row')}, {Math.round(state.progress * 100)} %
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
      {state.stage === 'done' && <span>{counted(state.drawn.positions.length / 2, 'point')}</span>}
      {without > 0 && (
        <span className={styles.without}>
          {counted(without, 'row has', 'rows have')} no vector that the map can use
        </span>
      )}
      {state.stage === 'done' && state.more && (
        <span>
          {props.sample
            ? `A random sample from ${total?.toLocaleString('en') ?? 'all'} rows.`
            : `The first ${props.limit.toLocaleString('en')} of ${total?.toLocaleString('en') ?? 'all'} rows.`}{' '}
          {props.onMore && (
            <Button size="small" variant="quiet" onClick={props.onMore}>
              Read 100,000
            </Button>
          )}
        </span>
      )}
      {state.stage === 'done' && (
        <span className={props.isChanged ? styles.without : undefined}>
          {props.isChanged
            ? 'Rows may have changed since the map was drawn.'
            : `Read ${timeAgo(new Date(state.at).toISOString(), new Date())}.`}{' '}
          <Button
            size="small"
            variant="quiet"
            title="Changes of single rows by other programs are usually not noticed here"
            onClick={props.onAgain}
          >
            Read again
          </Button>
        </span>
      )}
      <span className={styles.hint}>Near on the map is near in meaning. Distances are not exact.</span>
    </div>
  );
}
