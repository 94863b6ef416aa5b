import { Switch as BaseSwitch } from '@base-ui/react/switch';
import type { ReactNode } from 'react';
import { InlineField } from './field.tsx';
import styles from './toggle.module.css';

/** On or off, with effect at once. */
export function Switch(props: {
  label: ReactNode;
  help?: ReactNode;
  checked: boolean;
  onCheckedChange(checked: boolean): void;
  disabled?: boolean;
}) {
  return (
    <InlineField label={props.label} help={props.help}>
      <BaseSwitch.Root
        className={styles.switch}
        checked={props.checked}
        onCheckedChange={props.onCheckedChange}
        disabled={props.disabled}
      >
        <BaseSwitch.Thumb className={styles.thumb} />
      </BaseSwitch.Root>
    </InlineField>
  );
}
