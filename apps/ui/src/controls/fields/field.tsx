import { Field as BaseField } from '@base-ui/react/field';
import type { ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './field.module.css';

/** A control with its label above it, and a problem and help below it. */
export function Field(props: {
  label: ReactNode;
  help?: ReactNode;
  error?: string;
  required?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <BaseField.Root
      className={classNames(styles.field, props.className)}
      invalid={props.error !== undefined}
      data-has-error={props.error !== undefined || undefined}
    >
      <BaseField.Label className={styles.label}>
        {props.label}
        {props.required && (
          <span className={styles.required} title="Required">
            {' '}
            <span aria-hidden>*</span>
          </span>
        )}
      </BaseField.Label>
      {props.children}
      <BaseField.Error className={styles.error} match={props.error !== undefined}>
        {props.error}
      </BaseField.Error>
      {props.help && <BaseField.Description className={styles.help}>{props.help}</BaseField.Description>}
    </BaseField.Root>
  );
}

/** A switch or checkbox: the control first, then its label. */
export function InlineField(props: {
  label: ReactNode;
  help?: ReactNode;
  error?: string;
  children: ReactNode;
}) {
  return (
    <BaseField.Root className={styles.inline} invalid={props.error !== undefined}>
      {props.children}
      <div>
        <BaseField.Label className={styles.inlineLabel}>{props.label}</BaseField.Label>
        {props.help && <BaseField.Description className={styles.help}>{props.help}</BaseField.Description>}
        <BaseField.Error className={styles.error} match={props.error !== undefined}>
          {props.error}
        </BaseField.Error>
      </div>
    </BaseField.Root>
  );
}

/** The props of a switch or checkbox. */
export interface ToggleProps {
  label: ReactNode;
  help?: ReactNode;
  checked: boolean;
  onCheckedChange(checked: boolean): void;
  disabled?: boolean;
}
