import { type ComponentType, Suspense } from 'react';
import { loadPart } from '../loading/load-part.ts';
import { classNames } from '../styles/class-names.ts';
import type { ComboboxProps } from './combobox-props.ts';
import control from './control.module.css';

// The field is loaded at its first use, because it is large and the first page does not need it.
const Field = loadPart(() => import('./combobox-field.tsx'));

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
