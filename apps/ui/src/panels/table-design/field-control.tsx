import type { Design, DesignField, DesignValue } from '@trestle/driver-kit';
import { Checkbox } from '../../controls/fields/checkbox.tsx';
import { Field } from '../../controls/fields/field.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { TextField, TextInput } from '../../controls/fields/text-field.tsx';
import { useTables } from '../../data/queries/queries.ts';
import { isShown } from './design-edits.ts';
import styles from './table-design.module.css';

interface FieldProps {
  connectionId: string;
  design: Design;
  field: DesignField;
  value: DesignValue;
  /** The values of the fields beside this one, and these fields. */
  values: Record<string, DesignValue>;
  fields: DesignField[];
  error?: string | undefined;
  onChange(value: DesignValue): void;
}

/** A field with its label above it. */
export function LabelledField(props: FieldProps) {
  const { field, value, error, onChange } = props;
  const help = helpOf(props);
  switch (field.type) {
    case 'boolean':
      return (
        <div>
          <Checkbox label={field.label} help={help} checked={value === true} onCheckedChange={onChange} />
          {error && <p className={styles.problem}>{error}</p>}
        </div>
      );
    case 'choice':
      return (
        <Field label={field.label} help={help} {...(error && { error })}>
          <Select value={String(value)} options={optionsOf(props)} onValueChange={onChange} />
        </Field>
      );
    case 'items':
    case 'tables':
      return <NameChoices {...props} />;
    default:
      return (
        <TextField
          label={field.label}
          help={field.type === 'texts' ? (help ?? 'Separate them with commas.') : help}
          {...(error && { error })}
          {...inputProps(props)}
        />
      );
  }
}

/** A field in a cell of the grid. The column's head has the label. */
export function CellField(props: FieldProps & { label: string }) {
  const { field, value, label, error, onChange } = props;
  if (field.type === 'boolean')
    return (
      <input
        type="checkbox"
        className={styles.tick}
        aria-label={label}
        checked={value === true}
        onChange={(event) => onChange(event.target.checked)}
      />
    );
  if (field.type === 'choice')
    return (
      <Select
        size="small"
        aria-label={label}
        value={String(value)}
        options={optionsOf(props)}
        onValueChange={onChange}
      />
    );
  return (
    <TextInput
      size="small"
      aria-label={label}
      aria-invalid={error !== undefined || undefined}
      {...inputProps(props)}
    />
  );
}

function inputProps({ field, value, onChange }: FieldProps) {
  if (field.type === 'number')
    return {
      type: 'number',
      value: Number(value),
      ...(field.min !== undefined && { min: field.min }),
      ...(field.max !== undefined && { max: field.max }),
      ...(field.whole && { step: 1 }),
      onValueChange: (text: string) => onChange(text === '' ? field.default : Number(text)),
    };
  if (field.type === 'texts')
    return {
      defaultValue: Array.isArray(value) ? value.join(', ') : '',
      onValueChange: (text: string) =>
        onChange(
          text
            .split(',')
            .map((one) => one.trim())
            .filter(Boolean),
        ),
    };
  return {
    value: String(value),
    ...(field.type === 'text' && field.placeholder && { placeholder: field.placeholder }),
    onValueChange: (text: string) => onChange(text),
  };
}

function optionsOf({ field, values, fields }: FieldProps) {
  if (field.type !== 'choice') return [];
  return field.choices
    .filter((choice) => isShown(choice, values, fields))
    .map(({ value, label, help }) => ({ value, label, ...(help && { detail: help }) }));
}

/** The help of the chosen option tells its consequence. */
function helpOf({ field, value }: FieldProps): string | undefined {
  const chosen = field.type === 'choice' ? field.choices.find((one) => one.value === value)?.help : undefined;
  return chosen ?? field.help;
}

/** Names of items of the design, or of tables, to tick. */
function NameChoices({ connectionId, design, field, value, error, onChange }: FieldProps) {
  const tables = useTables(connectionId).data ?? [];
  const names =
    field.type === 'items'
      ? (design.parts[field.part] ?? []).map(({ fields }) => String(fields.name ?? '')).filter(Boolean)
      : [...new Set([design.name, ...tables.map(({ name }) => name)])].filter(Boolean);
  const chosen = Array.isArray(value) ? value : [];
  return (
    <fieldset className={styles.names}>
      <legend>{field.label}</legend>
      {field.help && <p className={styles.help}>{field.help}</p>}
      {names.length === 0 && <p className={styles.help}>There are none yet.</p>}
      <div className={styles.nameList}>
        {[...names, ...chosen.filter((name) => !names.includes(name))].map((name) => (
          <Checkbox
            key={name}
            label={name}
            checked={chosen.includes(name)}
            onCheckedChange={(isOn) =>
              onChange(isOn ? [...chosen, name] : chosen.filter((one) => one !== name))
            }
          />
        ))}
      </div>
      {error && <p className={styles.problem}>{error}</p>}
    </fieldset>
  );
}
