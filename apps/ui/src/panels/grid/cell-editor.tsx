import { useId, useLayoutEffect, useRef, useState } from 'react';
import { typedLetter } from '../../controls/keys/typed-letter.ts';
import { classNames } from '../../controls/styles/class-names.ts';
import { dateHint, editText, editType, readEdit } from '../value-editors/edit-text.ts';
import { unsetText } from './cell-display.ts';
import styles from './data-grid.module.css';
import type { GridActions } from './grid-actions.ts';
import type { Box } from './grid-notice.tsx';
import { type Editing, editedColumn } from './grid-store.ts';
import { isNumeric } from './layout.ts';
import { cellOf, type GridModel } from './model.ts';
import { useLeftward } from './use-leftward.ts';

/** The editor inside a cell. While the text does not parse, the editor shows the problem and cannot commit. */
export function CellEditor(props: {
  editing: Editing;
  model: GridModel;
  actions: GridActions;
  box: Box;
  /** Shows the problem or the hint above the cell, because there may be no room below. */
  above: boolean;
}) {
  const { editing, model, actions, box } = props;
  const problemId = useId();
  const input = useRef<HTMLInputElement>(null);
  const column = editedColumn(model.columns, editing);
  const cell = column && cellOf(model, editing.row, column);
  const [began] = useState(() => editText(cell));
  const { draft } = editing;
  const [isNew] = useState(draft.current === null);
  const [text, setText] = useState(draft.current ?? (editing.replace ? '' : began));
  draft.current = text;
  const [type] = useState(() => editType(column?.type ?? 'text', cell));
  const result = readEdit(text, began, type);
  const hint = dateHint(text, type);

  useLayoutEffect(() => {
    // An editor that is created again must not take the focus from another field.
    if (isNew || document.activeElement === document.body) input.current?.focus({ preventScroll: true });
    if (isNew) input.current?.select();
  }, [isNew]);

  const said = result.ok ? editing.blocked : result.problem;
  const message = useRef<HTMLDivElement>(null);
  const leftward = useLeftward(message, said ?? hint);

  const commit = (then: Parameters<GridActions['commit']>[1]): void => {
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
            onBlur={({ relatedTarget }) => {
              // If the whole window loses the focus, the edit must go on.
              if (document.hasFocus()) commit(relatedTarget ? 'leave' : 'stay');
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
                // On these keys the page saves the staged edits, so this edit must be staged first.
                commit('stay');
              }
            }}
          />
          {(said ?? hint) !== null && (
            <div
              key={said === null ? 'hint' : 'problem'}
              ref={message}
              id={problemId}
              role={said === null ? 'status' : 'alert'}
              className={classNames(
                styles.problem,
                said === null && styles.hint,
                props.above && styles.problemAbove,
                leftward && styles.problemLeftward,
              )}
            >
              {said ?? hint}
            </div>
          )}
        </div>
      </div>
    </div>
  );
}
