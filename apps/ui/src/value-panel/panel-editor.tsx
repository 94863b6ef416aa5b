import type { Cell } from '@trestle/driver-kit';
import { useEffect, useState } from 'react';
import { dateHint, editText, editType, readEdit } from '../grid/edit-text.ts';
import { Button } from '../shared/button.tsx';
import { shortcutText } from '../shared/kbd.tsx';
import styles from './value-panel.module.css';
import type { PanelValue } from './value-panel.tsx';

/** Text and JSON with room. What is typed is checked as it is typed, and staged when the field is left. */
export function PanelEditor({ value, onStage }: { value: PanelValue; onStage(cell: Cell): void }) {
  const { cell, refusal } = value;
  const stored = editText(cell);
  const [began, setBegan] = useState(stored);
  const [text, setText] = useState(stored);
  // An edit in the grid, an undo or a reload changes the value beneath.
  useEffect(() => {
    setBegan(stored);
    setText(stored);
  }, [stored]);
  const result = readEdit(text, began, editType(value.type, cell));
  const readOnly = refusal !== undefined;
  const stage = () => {
    if (!readOnly && result.ok && result.cell !== undefined) onStage(result.cell);
  };
  return (
    <>
      <textarea
        className={styles.text}
        value={text}
        readOnly={readOnly}
        aria-label={`Value of ${value.column}`}
        aria-invalid={!result.ok}
        placeholder={cell === null ? 'NULL' : cell === undefined ? value.unset : 'empty'}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onBlur={stage}
        onKeyDown={(event) => {
          const mod = event.ctrlKey || event.metaKey;
          if (mod && event.key === 'Enter') {
            event.preventDefault();
            stage();
          } else if (mod && event.key.toLowerCase() === 's') stage();
          else if (event.key === 'Escape' && text !== began) {
            event.stopPropagation();
            setText(began);
          }
        }}
      />
      <footer className={styles.foot}>
        <span className={styles.state} role="status" data-problem={!result.ok || undefined}>
          {result.ok
            ? (refusal ?? dateHint(text, value.type) ?? `${text.length.toLocaleString('en')} characters`)
            : result.problem}
        </span>
        {!readOnly && cell !== null && value.nullable && (
          <Button size="small" variant="quiet" onClick={() => onStage(null)}>
            Set NULL
          </Button>
        )}
        {!readOnly && text !== began && (
          <Button size="small" disabled={!result.ok} title={shortcutText('Mod+Enter')} onClick={stage}>
            Set value
          </Button>
        )}
      </footer>
    </>
  );
}
