import { useRef } from 'react';
import { usePlainText } from './plain-text.ts';
import styles from './value-editors.module.css';
import type { ValueFieldProps } from './value-field-props.ts';

/** A field for the text of a value, of any number of lines. */
export function TextArea(props: ValueFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  return <textarea ref={field} className={styles.text} {...usePlainText(props, field)} />;
}
