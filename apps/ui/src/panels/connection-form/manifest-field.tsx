import { readPastedUrl } from '@trestle/driver-kit';
import { Field as FieldFrame } from '../../controls/fields/field.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { Switch } from '../../controls/fields/switch.tsx';
import { TextField } from '../../controls/fields/text-field.tsx';
import { FileField } from './file-field.tsx';
import type { FieldInput } from './form-values.ts';
import { HeadersField } from './headers-field.tsx';
import type { ManifestFieldProps } from './manifest-field-props.ts';
import { SecretField } from './secret-field.tsx';

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
