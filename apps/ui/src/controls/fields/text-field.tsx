import { Input } from '@base-ui/react/input';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import control from './control.module.css';
import { Field } from './field.tsx';

export interface TextInputProps extends Omit<ComponentProps<typeof Input>, 'className' | 'size'> {
  size?: 'small' | 'medium';
  className?: string;
}

/** A text input without a visible label; set `aria-label`. */
export function TextInput({ size, className, ...props }: TextInputProps) {
  return (
    <Input
      autoComplete="off"
      spellCheck={false}
      className={classNames(control.control, size === 'small' && control.small, className)}
      {...props}
    />
  );
}

/** A text input with its label, help and error. */
export function TextField({
  label,
  help,
  error,
  required,
  ...props
}: TextInputProps & { label: ReactNode; help?: ReactNode; error?: string }) {
  return (
    <Field label={label} help={help} error={error} required={required}>
      <TextInput aria-required={required} {...props} />
    </Field>
  );
}
