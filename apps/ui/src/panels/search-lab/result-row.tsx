import { Check, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { measureText } from '../../data/rows/measure.ts';
import type { LabRow, LabRows } from './column-rows.ts';
import styles from './search-lab.module.css';

export type Mark = 'right' | 'wrong';

/** One row of a column: its rank, title, score or distance, and whether it is right for the query. */
export function ResultRow(props: {
  row: LabRow;
  rank: number;
  of: LabRows;
  isOnlyHere: boolean;
  isCut: boolean;
  isLit: boolean;
  isChosen: boolean;
  /** Whether Tab stops at this row. The arrow keys move to the other rows. */
  isStop: boolean;
  mark: Mark | null;
  onChoose(): void;
  onHover(isOver: boolean): void;
  /** The row has received the focus. */
  onStop(): void;
  /** Undefined if there is no query to mark the row for. */
  onMark: ((mark: Mark | null) => void) | undefined;
  onKeyDown(event: KeyboardEvent): void;
}) {
  const { row, mark } = props;
  const toggle = (wanted: Mark) => props.onMark?.(mark === wanted ? null : wanted);
  return (
    <li
      className={styles.row}
      data-key={row.key}
      data-lit={props.isLit || undefined}
      data-chosen={props.isChosen || undefined}
      data-cut={props.isCut || undefined}
      onPointerEnter={() => props.onHover(true)}
      onPointerLeave={() => props.onHover(false)}
    >
      <button
        type="button"
        className={styles.found}
        aria-pressed={props.isChosen}
        aria-keyshortcuts={props.onMark && 'r w'}
        tabIndex={props.isStop ? 0 : -1}
        onClick={props.onChoose}
        onFocus={() => {
          props.onHover(true);
          props.onStop();
        }}
        onBlur={() => props.onHover(false)}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          // With Caps Lock the key is a capital.
          const key = event.key.toLowerCase();
          if (key === 'r' || key === 'w') {
            if (!event.repeat) toggle(key === 'r' ? 'right' : 'wrong');
          } else props.onKeyDown(event);
        }}
      >
        <span className={styles.rank}>{props.rank}</span>
        <span className={styles.words}>
          <span className={styles.title} dir="auto" data-title>
            {row.title}
          </span>
          <span className={styles.detail} dir="auto">
            {props.isOnlyHere && <span className={styles.onlyHere}>Only here{row.detail && ' · '}</span>}
            {row.detail || (!props.isOnlyHere && row.key)}
          </span>
        </span>
        <span>
          <Bar row={row} of={props.of} />
          <span className={styles.measure}>{measureText(row.value)}</span>
        </span>
        {mark && <span className={styles.hidden}>marked {mark}</span>}
      </button>
      {/* These buttons are not in the Tab order, because the keys R and W do the same. */}
      {props.onMark && (
        <span className={styles.judge}>
          <IconButton
            size="small"
            tabIndex={-1}
            className={styles.right}
            label={`${row.title} is right`}
            shortcut="R"
            aria-pressed={mark === 'right'}
            onClick={() => toggle('right')}
          >
            <Check size={14} aria-hidden />
          </IconButton>
          <IconButton
            size="small"
            tabIndex={-1}
            className={styles.wrong}
            label={`${row.title} is wrong`}
            shortcut="W"
            aria-pressed={mark === 'wrong'}
            onClick={() => toggle('wrong')}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </span>
      )}
    </li>
  );
}

function Bar({ row, of }: { row: LabRow; of: LabRows }) {
  const length = of.lengthOf(row.value);
  const { keyword, vector } = row.explanation ?? {};
  const whole = (keyword?.share ?? 0) + (vector?.share ?? 0);
  // If the shares are unknown, a distance is drawn as all vector, and a score as all keywords.
  const words = whole > 0 ? (keyword?.share ?? 0) / whole : of.isDistance ? 0 : 1;
  return (
    <span className={styles.track} aria-hidden>
      <span className={styles.byWords} style={{ '--length': length * words }} />
      <span className={styles.byMeaning} style={{ '--length': length * (1 - words) }} />
    </span>
  );
}
