import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
import { Check } from 'lucide-react';
import { InlineField, type ToggleProps } from './field.tsx';
import styles from './toggle.module.css';

export function Checkbox({ label, help, ...props }: ToggleProps) {
  return (
    <InlineField label={label} help={help}>
      <BaseCheckbox.Root className={styles.checkbox} {...props}>
        <BaseCheckbox.Indicator className={styles.mark}>
          <Check size={12} strokeWidth={3} aria-hidden />
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
    </InlineField>
  );
}
