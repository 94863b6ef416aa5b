import { useRef } from 'react';
import { usePlainText } from './plain-text.ts';
import styles from './value-editors.module.css';
import type { ValueFieldProps } from './value-field-props.ts';

/** The text of a value as it is. */
export function TextArea(props: ValueFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  return <textarea ref={field} className={styles.text} {...usePlainText(props, field)} />;
}
