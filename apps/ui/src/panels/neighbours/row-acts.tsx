import type { RowKey } from '@trestle/driver-kit';
import { PanelRight, Trash2, Undo2 } from 'lucide-react';
import { Button } from '../../controls/buttons/button.tsx';
import { type DeletionMarks, toggleMark } from './marks.ts';
import styles from './neighbours.module.css';
import type { ScannedRow } from './scan.ts';

/**
 * Buttons for a row. One opens the row, if `onOpenRow` is given. The other marks the row for deletion (a staged edit) or
 * removes the mark.
 */
export function RowActs(props: {
  row: ScannedRow;
  marks: DeletionMarks;
  onOpenRow: ((key: RowKey) => void) | undefined;
}) {
  const { row, marks, onOpenRow } = props;
  const isMarked = marks.isMarked(row);
  return (
    <span className={styles.acts}>
      {onOpenRow && (
        <Button
          size="small"
          variant="quiet"
          icon={<PanelRight size={13} aria-hidden />}
          aria-label={`Open ${row.title}`}
          onClick={() => onOpenRow(row.key)}
        >
          <span className={styles.actWord}>Open</span>
        </Button>
      )}
      <Button
        size="small"
        variant="quiet"
        icon={isMarked ? <Undo2 size={13} aria-hidden /> : <Trash2 size={13} aria-hidden />}
        aria-label={isMarked ? `Keep ${row.title}` : `Delete ${row.title}`}
        disabled={marks.refusal !== undefined}
        focusableWhenDisabled
        title={marks.refusal}
        onClick={() => toggleMark(marks, row)}
      >
        <span className={styles.actWord}>{isMarked ? 'Keep' : 'Delete'}</span>
      </Button>
    </span>
  );
}
