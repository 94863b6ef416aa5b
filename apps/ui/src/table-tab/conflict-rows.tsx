import { type Cell, type ColumnDescription, isAsSeen, ownValue } from '@trestle/driver-kit';
import { GitCompareArrows } from 'lucide-react';
import { Button } from '../controls/buttons/button.tsx';
import { counted } from '../controls/text/counted.ts';
import { keyText } from '../data/rows/key-text.ts';
import { CellValue } from '../panels/grid/index.ts';
import styles from './conflict-rows.module.css';
import type { ListedRow } from './listed-changes.ts';

/** More rows than this would make the list slow. The buttons for all rows apply to the hidden ones too. */
const shownRows = 50;

interface ConflictRowsProps {
  rows: ListedRow[];
  columns: ColumnDescription[];
  disabled: boolean;
  onKeep(rows: ListedRow[]): void;
  onTake(rows: ListedRow[]): void;
}

/** Staged rows that somebody else changed since they were read: seen, theirs and mine. The user chooses. */
export function ConflictRows(props: ConflictRowsProps) {
  const { rows } = props;
  const hidden = rows.length - shownRows;
  const kept = rows.filter(canKeep);
  return (
    <section className={styles.conflicts} aria-label="Conflicts">
      <div className={styles.head} role="alert">
        <GitCompareArrows size={14} aria-hidden />
        <p>
          {counted(rows.length, 'row')} changed in the database since you read{' '}
          {rows.length === 1 ? 'it' : 'them'}. Nothing was overwritten.
        </p>
        {rows.length > 1 && (
          <span className={styles.actions}>
            {kept.length > 0 && (
              <Choice
                {...props}
                label={`Keep mine in ${counted(kept.length, 'row')}`}
                onChoose={() => props.onKeep(kept)}
              />
            )}
            <Choice
              {...props}
              label={`Take theirs in ${counted(rows.length, 'row')}`}
              onChoose={() => props.onTake(rows)}
            />
          </span>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keyboard */}
      <ul className={styles.rows} aria-label="Rows in conflict" tabIndex={0}>
        {rows.slice(0, shownRows).map((row) => (
          <ConflictRow key={row.row} {...props} row={row} />
        ))}
        {hidden > 0 && <li className={styles.more}>and {counted(hidden, 'more row')}</li>}
      </ul>
    </section>
  );
}

/** A row that is gone cannot be changed or deleted any more. */
function canKeep({ conflict }: ListedRow): boolean {
  return conflict?.theirs !== null;
}

function ConflictRow({ row, ...props }: ConflictRowsProps & { row: ListedRow }) {
  const theirs = row.conflict?.theirs ?? null;
  const name = row.key ? keyText(row.key) : row.row;
  const cells = theirs === null ? row.cells : comparedCells(row, theirs);
  return (
    <li className={styles.row} aria-label={`Conflict in ${name}`}>
      <div className={styles.rowHead}>
        <span className={styles.key}>{name}</span>
        <span className={styles.note}>{noteOf(row)}</span>
        <span className={styles.actions}>
          {canKeep(row) && (
            <Choice {...props} label="Keep mine" name={name} onChoose={() => props.onKeep([row])} />
          )}
          <Choice
            {...props}
            label={theirs === null ? 'Let it go' : 'Take theirs'}
            name={name}
            onChoose={() => props.onTake([row])}
          />
        </span>
      </div>
      {cells.length > 0 && (
        <table className={styles.cells}>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Seen</th>
              <th scope="col">Theirs</th>
              <th scope="col">Mine</th>
            </tr>
          </thead>
          <tbody>
            {cells.map(({ column, from, to }) => (
              <tr key={column}>
                <th scope="row">{column}</th>
                <td>
                  <Value {...props} column={column} cell={from} />
                </td>
                <td>
                  <Value {...props} column={column} cell={theirs ? ownValue(theirs, column) : undefined} />
                </td>
                <td>
                  <Value {...props} column={column} cell={to} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </li>
  );
}

/** Of an edited row, its edited cells. Of a deleted row, the cells that somebody else changed. */
function comparedCells({ kind, cells, seen = {} }: ListedRow, theirs: Record<string, Cell>) {
  if (kind !== 'delete') return cells.filter(({ column }) => Object.hasOwn(theirs, column));
  return Object.entries(theirs).flatMap(([column, cell]) => {
    const from = ownValue(seen, column);
    return from === undefined || isAsSeen(cell, from) ? [] : [{ column, from, to: undefined }];
  });
}

function noteOf({ kind, conflict }: ListedRow): string {
  if (conflict?.theirs === null) return 'deleted by somebody else';
  return kind === 'delete' ? 'changed by somebody else; you delete it' : 'changed by somebody else';
}

function Choice(props: {
  label: string;
  /** The row, for a screen reader. */
  name?: string;
  disabled: boolean;
  onChoose(): void;
}) {
  return (
    <Button
      size="small"
      disabled={props.disabled}
      focusableWhenDisabled
      onClick={props.onChoose}
      {...(props.name !== undefined && { 'aria-label': `${props.label} in ${props.name}` })}
    >
      {props.label}
    </Button>
  );
}

function Value({
  columns,
  column,
  cell,
}: {
  columns: ColumnDescription[];
  column: string;
  cell: Cell | undefined;
}) {
  if (cell === undefined) return <span className={styles.none}>–</span>;
  const type = columns.find(({ name }) => name === column)?.type ?? 'any';
  return (
    <CellValue cell={cell} column={{ type: type === 'date' || type === 'uuid' ? 'text' : type }} room={220} />
  );
}
