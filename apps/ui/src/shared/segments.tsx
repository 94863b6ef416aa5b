import type { ReactNode } from 'react';
import styles from './segments.module.css';

/** One of a few views, all in sight. */
export function Segments<Value extends string>(props: {
  label: string;
  value: Value;
  options: { value: Value; label: string; icon?: ReactNode }[];
  onValueChange(value: NoInfer<Value>): void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would want a legend in sight
    <div role="group" aria-label={props.label} className={styles.segments}>
      {props.options.map(({ value, label, icon }) => (
        <button
          key={value}
          type="button"
          className={styles.segment}
          aria-pressed={value === props.value}
          onClick={() => props.onValueChange(value)}
        >
          {icon}
          {label}
        </button>
      ))}
    </div>
  );
}
