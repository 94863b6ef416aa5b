import { type ComponentType, lazy, Suspense } from 'react';
import { classNames } from './class-names.ts';
import control from './control.module.css';
import type { SelectOption } from './select.tsx';

export interface ComboboxProps<Value extends string> {
  value: Value | null;
  onValueChange(value: NoInfer<Value>): void;
  options: SelectOption<Value>[];
  placeholder?: string;
  /** Shown when nothing matches. */
  empty?: string;
  size?: 'small' | 'medium';
  className?: string;
  'aria-label'?: string;
}

// The largest component, and not needed for the first page.
const Field = lazy(() => import('./combobox-field.tsx'));

/** A choice from many entries, found by typing. */
export function Combobox<Value extends string>(props: ComboboxProps<Value>) {
  const Typed = Field as unknown as ComponentType<ComboboxProps<Value>>;
  const box = classNames(control.control, props.size === 'small' && control.small, props.className);
  return (
    <Suspense fallback={<div className={box} />}>
      <Typed {...props} />
    </Suspense>
  );
}
