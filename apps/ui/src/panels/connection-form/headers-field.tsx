import { Button } from '../../controls/buttons/button.tsx';
import { TextInput } from '../../controls/fields/text-field.tsx';
import styles from './connection-form.module.css';
import { EntryRows } from './entry-rows.tsx';
import type { FieldInput, Header } from './form-values.ts';
import type { ManifestFieldProps } from './manifest-field-props.ts';

/** A list of header names with secret values. A stored list is replaced as a whole. */
export function HeadersField(props: ManifestFieldProps<'secretHeaders', FieldInput & { kind: 'headers' }>) {
  const { field, input, error, onChange } = props;
  const set = (headers: Header[]) => onChange({ kind: 'headers', state: 'entered', headers });
  const change = (index: number, patch: Partial<Header>) =>
    set(input.headers.map((header, at) => (at === index ? { ...header, ...patch } : header)));
  return (
    <fieldset className={styles.headers}>
      <legend>{field.label}</legend>
      {input.state === 'stored' && (
        <div className={styles.line}>
          <span className={styles.stored}>Stored – adding a header replaces the list</span>
          <Button onClick={() => onChange({ kind: 'headers', state: 'removed', headers: [] })}>Remove</Button>
        </div>
      )}
      {input.state === 'removed' && (
        <div className={styles.line}>
          <span className={styles.stored}>The stored list is removed when you save.</span>
          <Button onClick={() => onChange({ kind: 'headers', state: 'stored', headers: [] })}>Keep</Button>
        </div>
      )}
      <EntryRows
        entries={input.headers}
        what="header"
        add="Add header"
        empty={{ name: '', value: '' }}
        onChange={set}
      >
        {(header, index) => (
          <>
            <TextInput
              aria-label={`Header ${index + 1}: name`}
              data-invalid={error ? '' : undefined}
              aria-invalid={error ? true : undefined}
              placeholder={field.placeholder ?? 'Header name'}
              value={header.name}
              onValueChange={(name) => change(index, { name })}
            />
            <TextInput
              aria-label={`Header ${index + 1}: value`}
              type="password"
              autoComplete="new-password"
              placeholder="Value"
              value={header.value}
              onValueChange={(value) => change(index, { value })}
            />
          </>
        )}
      </EntryRows>
      {error && (
        <p role="alert" className={styles.problem}>
          {error}
        </p>
      )}
      {field.help && <p className={styles.help}>{field.help}</p>}
    </fieldset>
  );
}
