import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { InlineField } from './field.tsx';
import styles from './toggle.module.css';

export function Checkbox(props: {
  label: ReactNode;
  help?: ReactNode;
  checked: boolean;
  onCheckedChange(checked: boolean): void;
  disabled?: boolean;
}) {
  return (
    <InlineField label={props.label} help={props.help}>
      <BaseCheckbox.Root
        className={styles.checkbox}
        checked={props.checked}
        onCheckedChange={props.onCheckedChange}
        disabled={props.disabled}
      >
        <BaseCheckbox.Indicator className={styles.mark}>
          <Check size={12} strokeWidth={3} aria-hidden />
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
    </InlineField>
  );
}
