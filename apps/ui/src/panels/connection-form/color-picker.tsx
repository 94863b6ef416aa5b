import { Fieldset } from '@base-ui/react/fieldset';
import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import { connectionColor, connectionColors } from '../../controls/connection-sign/connection-color.ts';
import fieldStyles from '../../controls/fields/field.module.css';
import styles from './connection-form.module.css';

export function ColorPicker(props: { value: string | null; onChange(color: string | null): void }) {
  return (
    <Fieldset.Root
      className={styles.headers}
      render={
        <RadioGroup value={props.value ?? ''} onValueChange={(value) => props.onChange(value || null)} />
      }
    >
      <Fieldset.Legend className={fieldStyles.label}>Colour</Fieldset.Legend>
      <div className={styles.colors}>
        {['', ...connectionColors].map((color) => (
          <Radio.Root
            key={color}
            value={color}
            aria-label={color || 'no colour'}
            title={color || 'no colour'}
            className={styles.color}
            style={{ '--connection': connectionColor(color || null) }}
          />
        ))}
      </div>
    </Fieldset.Root>
  );
}
