import { X } from 'lucide-react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { Spinner } from '../../controls/loading/spinner.tsx';
import { classNames } from '../../controls/styles/class-names.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import type { LitRow } from './use-lit-rows.ts';
import styles from './vector-map.module.css';

/**
 * The card of the chosen row. Beside an inspector, it is one line. If the driver cannot fill an inspector, the card
 * lists the rows with the nearest vectors.
 */
export function RowCard(props: {
  title: string;
  /** Undefined if the inspector lists the neighbours. */
  neighbours: { data: LitRow[] | undefined; isFetching: boolean; error: unknown } | undefined;
  onChoose(point: number): void;
  onOpen(): void;
  onClose(): void;
}) {
  const { data: rows, isFetching, error } = props.neighbours ?? {};
  const open = (
    <Button size="small" onClick={props.onOpen}>
      Open as grid
    </Button>
  );
  return (
    <section
      className={classNames(styles.card, !props.neighbours && styles.oneLine)}
      aria-label={`Row ${props.title}`}
    >
      <header className={styles.cardHead}>
        <h3 title={props.title}>{props.title}</h3>
        {!props.neighbours && open}
        <IconButton label="Close" size="small" onClick={props.onClose}>
          <X size={14} aria-hidden />
        </IconButton>
      </header>
      {isFetching && <Spinner label="Reading neighbours" />}
      {error !== null && error !== undefined && <ErrorNote error={error} />}
      {rows && rows.length > 0 && (
        <ol aria-label="Nearest rows">
          {rows.map(({ rank, title, distance, point }) => (
            <li key={rank}>
              {point === undefined ? (
                <span title="Not on the map">{title}</span>
              ) : (
                <button type="button" onClick={() => props.onChoose(point)}>
                  {title}
                </button>
              )}
              <span className={styles.faint}>{distance?.toPrecision(3)}</span>
            </li>
          ))}
        </ol>
      )}
      {props.neighbours && open}
    </section>
  );
}
