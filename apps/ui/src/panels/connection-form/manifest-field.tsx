import { readPastedUrl } from '@trestle/driver-kit';
import { FolderOpen } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Field, Field as FieldFrame } from '../../controls/fields/field.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { Switch } from '../../controls/fields/switch.tsx';
import { TextField, TextInput } from '../../controls/fields/text-field.tsx';
import styles from './connection-form.module.css';
import { FileChooser } from './file-chooser.tsx';
import type { FieldInput } from './form-values.ts';
import { HeadersField } from './headers-field.tsx';
import type { ManifestFieldProps } from './manifest-field-props.ts';

/** One field of the connection form, drawn from the driver's manifest. */
export function ManifestField(props: ManifestFieldProps) {
  const { field, input, error, onChange } = props;
  const frame = { label: field.label, help: field.help, error, required: field.required };
  switch (field.type) {
    case 'text':
    case 'integer':
      return (
        <TextField
          {...frame}
          value={textOf(input)}
          placeholder={field.placeholder}
          inputMode={field.type === 'integer' ? 'numeric' : undefined}
          onValueChange={(text) => onChange({ kind: 'text', text })}
          onPaste={(event) => {
            const filled = readPastedUrl(field, event.clipboardData.getData('text'));
            if (!filled || !props.onFill) return;
            event.preventDefault();
            props.onFill(filled);
          }}
          onBlur={() => {
            const filled = readPastedUrl(field, textOf(input));
            if (filled) props.onFill?.(filled);
          }}
        />
      );
    case 'boolean':
      return (
        <Switch
          label={field.label}
          help={field.help}
          checked={input.kind === 'boolean' && input.on}
          onCheckedChange={(on) => onChange({ kind: 'boolean', on })}
        />
      );
    case 'choice':
      return (
        <FieldFrame {...frame}>
          <Select
            value={textOf(input)}
            options={field.choices}
            onValueChange={(text) => onChange({ kind: 'text', text })}
          />
        </FieldFrame>
      );
    case 'secret':
      return input.kind === 'secret' && <SecretField {...{ field, input, error, onChange }} />;
    case 'secretHeaders':
      return input.kind === 'headers' && <HeadersField {...{ field, input, error, onChange }} />;
    case 'file':
    case 'folder':
      return input.kind === 'text' && <FileField {...{ field, input, error, onChange }} />;
  }
}

function textOf(input: FieldInput): string {
  return input.kind === 'text' ? input.text : '';
}

/** A file or a folder on the machine that runs Trestle: its path, typed or chosen. */
function FileField(props: ManifestFieldProps<'file' | 'folder', FieldInput & { kind: 'text' }>) {
  const { field, input, error, onChange } = props;
  const [choosing, setChoosing] = useState(false);
  return (
    <Field label={field.label} required={field.required} error={error} help={field.help}>
      <div className={styles.line}>
        <TextInput
          value={input.text}
          placeholder={field.placeholder}
          onValueChange={(text) => onChange({ kind: 'text', text })}
        />
        <Button icon={<FolderOpen size={14} aria-hidden />} onClick={() => setChoosing(true)}>
          Browse…
        </Button>
      </div>
      {choosing && (
        <FileChooser
          title={`Choose: ${field.label}`}
          picks={field.type}
          extensions={field.type === 'file' ? field.extensions : undefined}
          startAt={input.text}
          onChoose={(text) => {
            onChange({ kind: 'text', text });
            setChoosing(false);
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </Field>
  );
}

/** A stored secret is never shown. Typing replaces it. Remove deletes it when the form is saved. */
function SecretField(props: ManifestFieldProps<'secret', FieldInput & { kind: 'secret' }>) {
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
