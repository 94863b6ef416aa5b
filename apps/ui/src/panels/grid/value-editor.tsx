import { Popover } from '@base-ui/react/popover';
import type { Cell } from '@trestle/driver-kit';
import { type RefObject, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../controls/buttons/button.tsx';
import { shortcutText } from '../../controls/keys/kbd.tsx';
import { typedLetter } from '../../controls/keys/typed-letter.ts';
import { counted } from '../../controls/text/counted.ts';
import { editText, editType, readEdit } from '../value-editors/edit-text.ts';
import { ValueField } from '../value-editors/index.ts';
import type { GridActions } from './grid-actions.ts';
import { type Editing, editedColumn, type GridStore } from './grid-store.ts';
import type { PlacedColumn } from './layout.ts';
import { cellOf, type GridModel } from './model.ts';
import styles from './value-editor.module.css';

/**
 * The large editor beside its cell: for JSON, vectors, bytes, dates and long text, and with Shift+Enter for any value.
 * A value that cannot be changed opens for reading.
 */
export function ValueEditor(props: {
  store: GridStore;
  model: GridModel;
  actions: GridActions;
  anchors: RefObject<HTMLDivElement | null>[];
}) {
  const { store, model, actions } = props;
  const editing = useStore(store, (state) => (state.editing?.mode === 'large' ? state.editing : null));
  const column = editing && editedColumn(model.columns, editing);
  const commit = useRef<(then: Leaving) => void>(actions.cancel);
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Popover.Root
      open={editing !== null}
      onOpenChange={(open, { reason, event }) => {
        if (open) return;
        // Escape discards the text. A press outside the editor, or a move of the focus, commits it. If the text is not
        // accepted, the editor stays open.
        if (reason === 'escape-key') actions.cancel();
        else commit.current(isLeft(popup.current, event) ? 'leave' : 'stay');
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          className={styles.positioner}
          anchor={() => props.anchors.find(({ current }) => current)?.current ?? null}
          align="start"
          sideOffset={2}
        >
          <Popover.Popup
            ref={popup}
            className={styles.popup}
            finalFocus={false}
            data-grid-popup
            data-narrow={column?.type === 'date' || undefined}
            aria-label={column ? `Value of ${column.name}` : undefined}
          >
            {editing && column && (
              <ValueForm
                key={editing.opening}
                editing={editing}
                column={column}
                cell={cellOf(model, editing.row, column)}
                actions={actions}
                onLeave={commit}
              />
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** After a commit, `stay` returns the focus to the grid. `leave` does not move the focus. */
type Leaving = 'stay' | 'leave';

/** Whether the focus moved to an element outside the editor. The body of the page does not count. */
function isLeft(popup: HTMLElement | null, event: Event): boolean {
  const focused = event instanceof FocusEvent ? event.relatedTarget : document.activeElement;
  return focused instanceof Element && focused !== document.body && !popup?.contains(focused);
}

function ValueForm(props: {
  editing: Editing;
  column: PlacedColumn;
  cell: Cell | undefined;
  actions: GridActions;
  onLeave: RefObject<(then: Leaving) => void>;
}) {
  const { editing, column, cell, actions } = props;
  const [began] = useState(() => editText(cell));
  const [text, setText] = useState(began);
  const readOnly = editing.refusal !== null;
  const type = editType(column.type, cell);
  const [misfit, setMisfit] = useState<string | null>(null);
  const result = misfit === null ? readEdit(text, began, type) : { ok: false as const, problem: misfit };
  const leave = (then: Leaving) => {
    if (readOnly) actions.commit(undefined, then);
    else if (result.ok) actions.commit(result.cell, then);
  };
  const commit = () => leave('stay');
  props.onLeave.current = leave;
  editing.leave.current = commit;
  const problem = result.ok ? editing.blocked : result.problem;
  return (
    <>
      <div className={styles.head}>
        <span className={styles.name}>{column.name}</span>
        <span className={styles.type}>{column.nativeType ?? column.type}</span>
        <span className={styles.size}>{counted(text.length, 'character')}</span>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles keys of the fields inside */}
      <div
        className={styles.field}
        onKeyDown={(event) => {
          const mod = event.ctrlKey || event.metaKey;
          if (mod && event.key === 'Enter') {
            event.preventDefault();
            commit();
          } else if (mod && typedLetter(event) === 's') commit();
        }}
      >
        <ValueField
          type={type}
          nativeType={column.nativeType}
          label={column.name}
          text={text}
          placeholder={cell === null ? 'NULL' : undefined}
          isInvalid={problem !== null}
          isReadOnly={readOnly}
          takesFocus
          picker={column.picker}
          onText={setText}
          onMisfit={setMisfit}
          onEnter={commit}
        />
      </div>
      <div className={styles.foot}>
        <span className={styles.state} role="status" data-problem={problem !== null || undefined}>
          {readOnly ? editing.refusal || 'Read only' : problem}
        </span>
        {!readOnly && cell !== null && column.nullable !== false && (
          <Button size="small" variant="quiet" onClick={() => actions.commit(null, 'stay')}>
            Set NULL
          </Button>
        )}
        <Button size="small" onClick={() => actions.cancel()}>
          {readOnly ? 'Close' : 'Cancel'}
        </Button>
        {!readOnly && (
          <Button
            size="small"
            variant="primary"
            disabled={!result.ok}
            title={shortcutText('Mod+Enter')}
            onClick={commit}
          >
            Set value
          </Button>
        )}
      </div>
    </>
  );
}
