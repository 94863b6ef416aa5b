import { useRef } from 'react';
import { usePlainText } from './plain-text.ts';
import styles from './value-editors.module.css';
import type { ValueFieldProps } from './value-field-props.ts';

/** A field for a value of one line. Enter calls `onEnter`. */
export function TextLine(props: ValueFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <input
      ref={field}
      className={styles.line}
      {...usePlainText(props, field)}
      autoComplete="off"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing || !props.onEnter) return;
        event.preventDefault();
        props.onEnter();
      }}
    />
  );
}
