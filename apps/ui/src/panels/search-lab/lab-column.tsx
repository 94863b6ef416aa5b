import { type KeyboardEvent, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import { measureText } from '../../data/rows/measure.ts';
import { hasCut } from './column-layout.ts';
import { type Mark, ResultRow } from './result-row.tsx';
import styles from './search-lab.module.css';
import type { ColumnResults, LabColumnState } from './use-lab-column.ts';

/** The rows of one column, or why there are none. An error affects only its column. */
export function LabColumnRows(props: {
  name: string;
  state: LabColumnState;
  onlyHere: Set<string>;
  chosen: string | null;
  lit: string | null;
  markOf(key: string): Mark | null;
  onChoose(key: string): void;
  onHover(key: string | null): void;
  onMark: ((key: string, mark: Mark | null) => void) | undefined;
}) {
  const { onMark } = props;
  const { results, error, problem, isFetching } = props.state;
  const [stop, setStop] = useState(0);
  if (problem !== null) return <p className={styles.state}>{problem}.</p>;
  if (error) {
    return (
      <ErrorNote error={error}>
        <Button size="small" onClick={props.state.retry}>
          Retry
        </Button>
      </ErrorNote>
    );
  }
  if (!results) return <p className={styles.state}>{isFetching ? 'Searching …' : ''}</p>;
  if (results.rows.length === 0) return <p className={styles.state}>Nothing found.</p>;
  return (
    <div>
      <ol
        className={styles.list}
        aria-label={`Results of ${props.name}`}
        data-stale={isFetching || undefined}
      >
        {results.rows.map((row, index) => [
          results.groups.has(index) && (
            <li key={`group ${row.id}`} className={styles.group}>
              {results.groups.get(index)}
            </li>
          ),
          hasCut(results, index) && (
            <li key="cut" className={styles.cut}>
              {cutWords(results, index)}
            </li>
          ),
          <ResultRow
            key={row.id}
            row={row}
            rank={index + 1}
            of={results}
            isOnlyHere={props.onlyHere.has(row.key)}
            isCut={index >= results.kept}
            isChosen={row.key === props.chosen}
            isLit={row.key === props.lit}
            isStop={index === Math.min(stop, results.rows.length - 1)}
            onStop={() => setStop(index)}
            mark={props.markOf(row.key)}
            onChoose={() => props.onChoose(row.key)}
            onHover={(isOver) => props.onHover(isOver ? row.key : null)}
            onMark={onMark && ((mark) => onMark(row.key, mark))}
            onKeyDown={moveFocus}
          />,
        ])}
      </ol>
      {results.note && <Note level="info">{results.note}</Note>}
    </div>
  );
}

function cutWords(results: ColumnResults, index: number): string {
  const [before, after] = [results.rows[index - 1]?.value ?? null, results.rows[index]?.value ?? null];
  if (before === null || after === null) return 'cut here';
  return `cut here, ${after > before ? '+' : '−'}${measureText(Math.abs(after - before))}`;
}

/**
 * Up and down move within the column. Left and right move to the nearest column with rows on that side. The position
 * stays the same, or is the last row if that column has fewer rows.
 */
function moveFocus(event: KeyboardEvent): void {
  const steps: Record<string, [number, number]> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
  };
  const step = steps[event.key];
  const list = event.currentTarget.closest('ol');
  if (!step || !list) return;
  event.preventDefault();
  const lists = [...(list.closest('[data-columns]')?.querySelectorAll('ol') ?? [])];
  const rowsOf = (one: Element | undefined) => [
    ...(one?.querySelectorAll<HTMLElement>('li[data-key] > button') ?? []),
  ];
  const at = rowsOf(list).indexOf(event.currentTarget as HTMLElement);
  const target = rowsOf(lists[lists.indexOf(list) + step[1]]);
  target[Math.min(at + step[0], target.length - 1)]?.focus();
}
