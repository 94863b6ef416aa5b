import { Switch as BaseSwitch } from '@base-ui/react/switch';
import { InlineField, type ToggleProps } from './field.tsx';
import styles from './toggle.module.css';

export function Switch({ label, help, ...props }: ToggleProps) {
  return (
    <InlineField label={label} help={help}>
      <BaseSwitch.Root className={styles.switch} {...props}>
        <BaseSwitch.Thumb className={styles.thumb} />
      </BaseSwitch.Root>
    </InlineField>
  );
}
