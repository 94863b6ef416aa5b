import { useLayoutEffect, useRef } from 'react';
import styles from './value-editors.module.css';
import type { ValueFieldProps } from './value-field.tsx';

/** A value that has one line: Enter is done with it. */
export function TextLine(props: ValueFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const { takesFocus } = props;
  useLayoutEffect(() => {
    if (!takesFocus) return;
    field.current?.focus();
    field.current?.select();
  }, [takesFocus]);
  return (
    <input
      ref={field}
      className={styles.line}
      value={props.text}
      readOnly={props.isReadOnly}
      aria-label={props.label}
      aria-invalid={props.isInvalid}
      placeholder={props.placeholder}
      autoComplete="off"
      spellCheck={false}
      data-grid-editor
      onChange={(event) => props.onText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing || !props.onEnter) return;
        event.preventDefault();
        props.onEnter();
      }}
    />
  );
}
