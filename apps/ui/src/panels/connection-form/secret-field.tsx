import { Button } from '../../controls/buttons/button.tsx';
import { Field } from '../../controls/fields/field.tsx';
import { TextInput } from '../../controls/fields/text-field.tsx';
import styles from './connection-form.module.css';
import type { FieldInput } from './form-values.ts';
import type { ManifestFieldProps } from './manifest-field-props.ts';

/** A stored secret is never shown. Typing replaces it. Remove deletes it when the form is saved. */
export function SecretField(props: ManifestFieldProps<'secret', FieldInput & { kind: 'secret' }>) {
  const { field, input, error, onChange } = props;
  const wasStored = input.state === 'stored';
  return (
    <Field
      label={field.label}
      required={field.required}
      error={error}
      help={input.state === 'removed' ? 'The stored value is removed when you save.' : field.help}
    >
      <div className={styles.line}>
        <TextInput
          type="password"
          autoComplete="new-password"
          value={input.text}
          placeholder={wasStored ? 'Stored – type to replace' : field.placeholder}
          onValueChange={(text) => onChange({ kind: 'secret', state: 'entered', text })}
        />
        {wasStored && (
          <Button onClick={() => onChange({ kind: 'secret', state: 'removed', text: '' })}>Remove</Button>
        )}
        {input.state === 'removed' && (
          <Button onClick={() => onChange({ kind: 'secret', state: 'stored', text: '' })}>Keep</Button>
        )}
      </div>
    </Field>
  );
}
