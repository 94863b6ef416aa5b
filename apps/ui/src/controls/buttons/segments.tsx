import type { ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './segments.module.css';

/** A choice of one option among a few, all visible. */
export function Segments<Value extends string>(props: {
  label: string;
  /** Only the chosen option shows its label. In a small space, no label is shown. */
  compact?: boolean;
  value: Value;
  options: { value: Value; label: string; icon?: ReactNode }[];
  onValueChange(value: NoInfer<Value>): void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a layout of its own
    <div
      role="group"
      aria-label={props.label}
      className={classNames(styles.segments, props.compact && styles.compact)}
    >
      {props.options.map(({ value, label, icon }) => (
        <button
          key={value}
          type="button"
          className={styles.segment}
          title={props.compact ? label : undefined}
          aria-pressed={value === props.value}
          onClick={() => props.onValueChange(value)}
        >
          {icon}
          <span className={styles.label}>{label}</span>
        </button>
      ))}
    </div>
  );
}
