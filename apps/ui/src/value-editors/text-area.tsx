import { useLayoutEffect, useRef } from 'react';
import styles from './value-editors.module.css';
import type { ValueFieldProps } from './value-field.tsx';

/** The text of a value as it is. */
export function TextArea(props: ValueFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { takesFocus } = props;
  useLayoutEffect(() => {
    if (!takesFocus) return;
    field.current?.focus();
    field.current?.select();
  }, [takesFocus]);
  return (
    <textarea
      ref={field}
      className={styles.text}
      value={props.text}
      readOnly={props.isReadOnly}
      aria-label={props.label}
      aria-invalid={props.isInvalid}
      placeholder={props.placeholder}
      spellCheck={false}
      data-grid-editor
      onChange={(event) => props.onText(event.target.value)}
    />
  );
}
