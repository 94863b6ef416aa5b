import { useId, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../shared/class-names.ts';
import { typedLetter } from '../shared/typed-letter.ts';
import { unsetText } from './cell-display.ts';
import styles from './data-grid.module.css';
import { dateHint, editText, editType, readEdit } from './edit-text.ts';
import type { GridActions } from './grid-actions.ts';
import { type Editing, editedColumn } from './grid-store.ts';
import { isNumeric } from './layout.ts';
import { cellOf, type GridModel } from './model.ts';

/** The editor inside a cell. If the text does not parse, the editor stays open and shows the expected form. */
export function CellEditor(props: {
  editing: Editing;
  model: GridModel;
  actions: GridActions;
  box: { top: number; left: number; width: number; height: number };
  /** Shows the problem or the hint above the cell, because there may be no room below. */
  above: boolean;
}) {
  const { editing, model, actions, box } = props;
  const problemId = useId();
  const input = useRef<HTMLInputElement>(null);
  const column = editedColumn(model.columns, editing);
  const cell = column && cellOf(model, editing.row, column);
  const [began] = useState(() => editText(cell));
  const [text, setText] = useState(editing.replace ? '' : began);
  const [type] = useState(() => editType(column?.type ?? 'text', cell));
  const result = readEdit(text, began, type);
  const hint = dateHint(text, type);

  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true });
    input.current?.select();
  }, []);

  const problem = useRef<HTMLDivElement>(null);
  const [leftward, setLeftward] = useState(false);
  const said = result.ok ? editing.blocked : result.problem;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another width
  useLayoutEffect(() => {
    const element = problem.current;
    const view = element?.closest(`.${styles.viewport}`);
    if (!element || !view) return;
    const edge = element.parentElement!.getBoundingClientRect().left + element.offsetWidth;
    setLeftward(edge > view.getBoundingClientRect().left + view.clientWidth);
  }, [said]);

  const commit = (then: 'stay' | 'down' | 'left' | 'right'): void => {
    if (result.ok) actions.commit(result.cell, then);
  };
  editing.leave.current = () => commit('stay');
  return (
    <div className={styles.editorLayer}>
      <div>
        <div className={styles.editor} style={box}>
          <input
            ref={input}
            className={classNames(styles.input, isNumeric(type) && styles.inputNumber)}
            value={text}
            aria-label={column?.name}
            aria-invalid={said !== null}
            aria-describedby={said === null ? undefined : problemId}
            placeholder={
              cell === null ? 'NULL' : cell === undefined && column ? unsetText(column) : undefined
            }
            autoComplete="off"
            spellCheck={false}
            data-grid-editor
            onChange={(event) => setText(event.target.value)}
            onBlur={() => {
              // The edit must not end because the window loses the focus.
              if (document.hasFocus()) commit('stay');
            }}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return;
              if (event.key === 'Enter') {
                event.preventDefault();
                commit('down');
              } else if (event.key === 'Tab') {
                event.preventDefault();
                commit(event.shiftKey ? 'left' : 'right');
              } else if (event.key === 'Escape') {
                event.preventDefault();
                event.stopPropagation();
                actions.cancel();
              } else if ((event.ctrlKey || event.metaKey) && typedLetter(event) === 's') {
                // The page saves the staged edits, and this edit must be one of them.
                commit('stay');
              }
            }}
          />
          {said === null && hint !== null && (
            <div
              role="status"
              className={classNames(styles.problem, styles.hint, props.above && styles.problemAbove)}
            >
              {hint}
            </div>
          )}
          {said !== null && (
            <div
              ref={problem}
              id={problemId}
              role="alert"
              className={classNames(
                styles.problem,
                props.above && styles.problemAbove,
                leftward && styles.problemLeftward,
              )}
            >
              {said}
            </div>
          )}
        </div>
      </div>
    </div>
  );
}
