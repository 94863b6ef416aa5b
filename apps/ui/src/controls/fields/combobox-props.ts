import type { SelectOption } from './select.tsx';

export interface ComboboxProps<Value extends string> {
  value: Value | null;
  onValueChange(value: NoInfer<Value>): void;
  options: SelectOption<Value>[];
  placeholder?: string;
  /** Shown when no option matches the typed text. */
  empty?: string;
  size?: 'small' | 'medium';
  className?: string;
  'aria-label'?: string;
}
