import { FolderOpen } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Field } from '../../controls/fields/field.tsx';
import { TextInput } from '../../controls/fields/text-field.tsx';
import styles from './connection-form.module.css';
import { FileChooser } from './file-chooser.tsx';
import type { FieldInput } from './form-values.ts';
import type { ManifestFieldProps } from './manifest-field-props.ts';

/** A file or a folder on the machine that runs Trestle: its path, typed or chosen. */
export function FileField(props: ManifestFieldProps<'file' | 'folder', FieldInput & { kind: 'text' }>) {
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
