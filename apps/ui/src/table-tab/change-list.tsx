import { Popover } from '@base-ui/react/popover';
import type { Cell, ColumnDescription, RowKey } from '@trestle/driver-kit';
import { ArrowRight, CornerUpLeft, ListChecks, Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../controls/buttons/button.tsx';
import { IconButton } from '../controls/buttons/icon-button.tsx';
import { counted } from '../controls/text/counted.ts';
import { keyText } from '../data/rows/key-text.ts';
import { CellValue } from '../panels/grid/index.ts';
import styles from './change-list.module.css';
import { type ListedRow, listedChanges } from './listed-changes.ts';
import type { Staged } from './use-staged.ts';

/** More rows than this would make the list slow. */
const shownRows = 300;

interface ChangeListProps {
  staged: Staged;
  columns: ColumnDescription[];
  /** A save is running, and nothing can be reverted meanwhile. */
  disabled: boolean;
  onGoTo(row: string, key: RowKey | null, column: string | undefined): void;
  /** Called after the last change was reverted. The bar with the list is then gone. */
  onEmpty(): void;
}

/** The staged changes, row by row, with old and new values. Each change can be reverted, and links to its row. */
export function ChangeList(props: ChangeListProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        render={<Button size="small" icon={<ListChecks size={14} aria-hidden />} />}
        aria-label="Review changes"
        title="Review changes"
      >
        <span className={styles.label}>Review changes</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className={styles.positioner} side="top" align="end" sideOffset={6}>
          <Popover.Popup className={styles.popup} data-grid-popup aria-label="Staged changes">
            <Changes
              {...props}
              onGoTo={(...place) => {
                setOpen(false);
                props.onGoTo(...place);
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Changes(props: ChangeListProps) {
  const { staged } = props;
  const rows = listedChanges(staged.edits, staged.rows);
  const hidden = rows.length - shownRows;
  const list = useRef<HTMLUListElement>(null);
  // The pressed button disappears with its change. So the focus moves to the list: otherwise it would be lost and the
  // popup would close.
  const after = (takeBack: () => void) => {
    takeBack();
    requestAnimationFrame(() => (list.current ? list.current.focus() : props.onEmpty()));
  };
  if (rows.length === 0) return <p className={styles.none}>Nothing is staged any more</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keyboard
    <ul ref={list} className={styles.rows} aria-label="Changed rows" tabIndex={0}>
      {rows.slice(0, shownRows).map((row) => (
        <ChangedRow key={row.row} {...props} row={row} after={after} />
      ))}
      {hidden > 0 && <li className={styles.none}>and {counted(hidden, 'more row')}</li>}
    </ul>
  );
}

const words = { insert: 'New', update: 'Edited', delete: 'Deleted' };
const takesBack = { insert: 'Remove new row', update: 'Undo all of', delete: 'Keep' };

function ChangedRow(props: ChangeListProps & { row: ListedRow; after(takeBack: () => void): void }) {
  const { row, staged, disabled, after } = props;
  const name = row.key ? keyText(row.key) : 'new row';
  return (
    <li className={styles.row} data-kind={row.kind}>
      <div className={styles.head}>
        <span className={styles.kind}>{words[row.kind]}</span>
        <button
          type="button"
          className={styles.key}
          title="Go to the row"
          onClick={() => props.onGoTo(row.row, row.key, row.cells[0]?.column)}
        >
          {name}
        </button>
        <IconButton
          label={row.kind === 'insert' ? takesBack.insert : `${takesBack[row.kind]} ${name}`}
          size="small"
          disabled={disabled}
          focusableWhenDisabled
          onClick={() => after(() => staged.takeBack(row))}
        >
          <CornerUpLeft size={13} aria-hidden />
        </IconButton>
      </div>
      {row.problem && <p className={styles.problem}>{row.problem}</p>}
      {row.cells.length > 0 && (
        <ul className={styles.cells} aria-label={`Changes of ${name}`}>
          {row.cells.map(({ column, from, to, problem }) => (
            <li key={column} className={styles.cell}>
              <button
                type="button"
                className={styles.column}
                title="Go to the cell"
                onClick={() => props.onGoTo(row.row, row.key, column)}
              >
                {column}
              </button>
              <span className={styles.values}>
                {from !== undefined && (
                  <>
                    <del>
                      <Value {...props} column={column} cell={from} />
                    </del>
                    <ArrowRight size={12} aria-label="becomes" />
                  </>
                )}
                <Value {...props} column={column} cell={to} />
                {problem && <span className={styles.wrong}>{problem}</span>}
              </span>
              {row.kind === 'update' && (
                <IconButton
                  label={`Undo ${column} of ${name}`}
                  size="small"
                  disabled={disabled}
                  focusableWhenDisabled
                  onClick={() => after(() => staged.takeBackCell(row, column))}
                >
                  <Undo2 size={13} aria-hidden />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Value({ columns, column, cell }: Pick<ChangeListProps, 'columns'> & { column: string; cell: Cell }) {
  const type = columns.find(({ name }) => name === column)?.type ?? 'any';
  // Two times on the same day may differ only in seconds, so a date is shown as stored. A UUID is not shortened.
  return (
    <CellValue cell={cell} column={{ type: type === 'date' || type === 'uuid' ? 'text' : type }} room={170} />
  );
}
