import { useEffect, useState } from 'react';
import { TextInput } from '../../controls/fields/text-field.tsx';
import styles from './search-lab.module.css';

/** A number that takes effect while the user types. An empty field gives undefined. */
export function NumberInput(props: {
  label: string;
  value: number | undefined;
  /** If undefined, negative numbers are allowed too. */
  min?: number;
  step: number;
  disabled?: boolean;
  placeholder?: string;
  onChange(value: number | undefined): void;
}) {
  const shown = props.value === undefined ? '' : String(props.value);
  const [text, setText] = useState(shown);
  useEffect(
    () => setText((now) => (Number(now) === props.value && now !== '' ? now : shown)),
    [shown, props.value],
  );
  return (
    <TextInput
      size="small"
      type="number"
      className={styles.number}
      aria-label={props.label}
      min={props.min}
      step={props.step}
      disabled={props.disabled}
      placeholder={props.placeholder}
      value={text}
      onBlur={() => setText(shown)}
      onChange={(event) => {
        const { value } = event.currentTarget;
        setText(value);
        const number = Number(value);
        if (value === '') props.onChange(undefined);
        else if (Number.isFinite(number) && number >= (props.min ?? number)) props.onChange(number);
      }}
    />
  );
}
