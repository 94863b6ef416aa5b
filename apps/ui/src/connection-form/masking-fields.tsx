import { Plus, X } from 'lucide-react';
import { Button } from '../shared/button.tsx';
import { Checkbox } from '../shared/checkbox.tsx';
import { Note } from '../shared/error-note.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { TextInput } from '../shared/text-field.tsx';
import styles from './connection-form.module.css';
import type { MaskingInput } from './form-values.ts';
import { maskPatterns } from './policies.ts';

/** What external clients see as •••; this window shows it as it is. */
export function MaskingFields(props: {
  value: MaskingInput;
  onChange(value: MaskingInput): void;
  /** The driver keeps statements from reading masked columns. */
  guardsColumns: boolean;
}) {
  const { value, onChange } = props;
  const setColumns = (columns: string[]) => onChange({ ...value, columns });
  return (
    <fieldset className={styles.headers}>
      <legend>Masking</legend>
      <p className={styles.help}>
        External clients get ••• instead of these values, in every answer and export. A masked column, or one
        in which such values are found, cannot be filtered, sorted or used in an expression either, whatever
        name a query gives it.
      </p>
      {maskPatterns.map(({ pattern, label, help }) => (
        <Checkbox
          key={pattern}
          label={label}
          help={help}
          checked={value.patterns.includes(pattern)}
          onCheckedChange={(on) =>
            onChange({
              ...value,
              patterns: maskPatterns
                .map((one) => one.pattern)
                .filter((one) => (one === pattern ? on : value.patterns.includes(one))),
            })
          }
        />
      ))}
      {value.columns.map((column, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own
        <div key={index} className={styles.line}>
          <TextInput
            aria-label={`Masked column ${index + 1}`}
            placeholder="column, or table.column; * stands for any characters"
            value={column}
            autoFocus={column === ''}
            onValueChange={(text) =>
              setColumns(value.columns.map((before, at) => (at === index ? text : before)))
            }
          />
          <IconButton
            label={`Remove masked column ${index + 1}`}
            onClick={() => setColumns(value.columns.filter((_, at) => at !== index))}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon={<Plus size={13} aria-hidden />}
          onClick={() => setColumns([...value.columns, ''])}
        >
          Add column
        </Button>
      </div>
      {value.columns.some((column) => column.trim() !== '') && !props.guardsColumns && (
        <Note level="info">
          With masked columns, external clients can browse these tables but not run queries: this driver
          cannot tell which columns a query reads.
        </Note>
      )}
    </fieldset>
  );
}
