import type { Cell } from '@trestle/driver-kit';
import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { isHandled } from '../../controls/keys/is-handled.ts';
import { shortcutText } from '../../controls/keys/kbd.tsx';
import { typedLetter } from '../../controls/keys/typed-letter.ts';
import { dateHint, editType, readEdit } from '../value-editors/edit-text.ts';
import { ValueField } from '../value-editors/index.ts';
import type { Draft, InspectedProperty } from './inspected-row.ts';
import styles from './row-inspector.module.css';

/** Edits a value in place. Text that does not fit the type stays in the field, and the reason is shown below. */
export function PropertyEditor(props: {
  property: InspectedProperty;
  draft: Draft;
  takesFocus: boolean;
  onText(text: string): void;
  /** `cell` is undefined if the value stays unchanged. */
  onDone(cell: Cell | undefined): void;
}) {
  const { property, draft, onDone } = props;
  const { name, cell } = property;
  const type = editType(property.type, cell);
  const [misfit, setMisfit] = useState<string | null>(null);
  const result =
    misfit === null ? readEdit(draft.text, draft.began, type) : { ok: false as const, problem: misfit };
  const commit = () => {
    if (result.ok) onDone(result.cell);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys and focus of the fields inside
    <div
      className={styles.editor}
      onBlur={(event) => {
        const { currentTarget, relatedTarget } = event;
        // The edit must not end because the window loses the focus. It must not end either when the focused
        // element disappears, such as a day of the calendar or an entry of a list.
        if (!document.hasFocus() || relatedTarget === null || currentTarget.contains(relatedTarget)) return;
        commit();
      }}
      onKeyDown={(event) => {
        const mod = event.ctrlKey || event.metaKey;
        if (event.key === 'Escape' && !isHandled(event)) {
          event.preventDefault();
          event.stopPropagation();
          onDone(undefined);
        } else if (mod && event.key === 'Enter') {
          event.preventDefault();
          commit();
        } else if (mod && typedLetter(event) === 's') commit();
      }}
    >
      <ValueField
        type={type}
        nativeType={property.nativeType}
        label={`Value of ${name}`}
        text={draft.text}
        placeholder={cell === null ? 'NULL' : property.unset}
        picker={property.picker}
        isInvalid={!result.ok}
        takesFocus={props.takesFocus}
        onText={props.onText}
        onMisfit={setMisfit}
        onEnter={commit}
      />
      <p className={styles.state} role="status" data-problem={!result.ok || undefined}>
        {result.ok ? dateHint(draft.text, type) : result.problem}
      </p>
      <div className={styles.editorActs}>
        {cell !== null && property.nullable && (
          <Button size="small" variant="quiet" onClick={() => onDone(null)}>
            Set NULL
          </Button>
        )}
        <Button size="small" onClick={() => onDone(undefined)}>
          Cancel
        </Button>
        <Button
          size="small"
          variant="primary"
          disabled={!result.ok}
          title={shortcutText('Mod+Enter')}
          onClick={commit}
        >
          Set value
        </Button>
      </div>
    </div>
  );
}
