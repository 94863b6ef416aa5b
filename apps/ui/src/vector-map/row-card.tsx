import { X } from 'lucide-react';
import { Button } from '../shared/button.tsx';
import { ErrorNote } from '../shared/error-note.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { Spinner } from '../shared/spinner.tsx';
import type { LitRow } from './use-lit-rows.ts';
import styles from './vector-map.module.css';

/** The chosen row with its true neighbours. */
export function RowCard(props: {
  title: string;
  id: string;
  neighbours: LitRow[] | undefined;
  isReading: boolean;
  error: unknown;
  onOpen(): void;
  onClose(): void;
}) {
  // By its key: its distance from itself is seldom exactly 0.
  const others = props.neighbours?.filter(({ id }) => id !== props.id);
  return (
    <section className={styles.card} aria-label={`Row ${props.title}`}>
      <header className={styles.cardHead}>
        <h3>{props.title}</h3>
        <IconButton label="Close" size="small" onClick={props.onClose}>
          <X size={14} aria-hidden />
        </IconButton>
      </header>
      <p className={styles.faint}>{props.id}</p>
      {props.isReading && <Spinner label="Reading neighbours" />}
      {props.error !== null && props.error !== undefined && <ErrorNote error={props.error} />}
      {others && others.length > 0 && (
        <ol aria-label="Nearest rows">
          {others.map(({ rank, title, distance }) => (
            <li key={rank}>
              <span>{title}</span>
              <span className={styles.faint}>{distance?.toPrecision(3)}</span>
            </li>
          ))}
        </ol>
      )}
      <Button size="small" onClick={props.onOpen}>
        Open as grid
      </Button>
    </section>
  );
}
