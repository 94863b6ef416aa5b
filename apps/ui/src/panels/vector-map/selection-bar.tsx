import { X } from 'lucide-react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { counted } from '../../controls/text/counted.ts';
import styles from './vector-map.module.css';

/** The most keys in one filter. A database may refuse a longer list. */
export const mostInGrid = 500;

/** The number of rows inside the rectangle or lasso, and the actions on them. */
export function SelectionBar(props: {
  count: number;
  /** Undefined if there are more rows than `mostInGrid`, or if no filter selects exactly these rows. */
  onOpen: (() => void) | undefined;
  onCopy(): void;
  /** Undefined if the driver cannot read rows by their keys. */
  onExport: (() => void) | undefined;
  onClear(): void;
}) {
  const { count } = props;
  const refusal =
    count > mostInGrid
      ? `The grid takes ${mostInGrid} rows at most`
      : props.onOpen === undefined &&
        'A filter cannot select exactly these rows: their key has several columns';
  return (
    <div className={styles.selection} role="toolbar" aria-label="Selected rows">
      <span>{counted(count, 'row')}</span>
      <Button size="small" variant="quiet" disabled={refusal !== false} onClick={props.onOpen}>
        Open as grid
      </Button>
      <Button size="small" variant="quiet" onClick={props.onCopy}>
        Copy ids
      </Button>
      {props.onExport && (
        <Button size="small" variant="quiet" onClick={props.onExport}>
          Export…
        </Button>
      )}
      {refusal && <span className={styles.faint}>{refusal}</span>}
      <IconButton label="Clear the selection" size="small" onClick={props.onClear}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
