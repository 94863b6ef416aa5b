import { Checkbox } from '../../controls/fields/checkbox.tsx';
import { TextInput } from '../../controls/fields/text-field.tsx';
import { Note } from '../../data/messages/error-note.tsx';
import styles from './connection-form.module.css';
import { EntryRows } from './entry-rows.tsx';
import type { MaskingInput } from './form-values.ts';
import { maskPatterns } from './policies.ts';

/** Chooses the values that external clients see as •••. The window itself shows these values. */
export function MaskingFields(props: {
  value: MaskingInput;
  onChange(value: MaskingInput): void;
  /**
   * Whether the driver finds out which columns a statement uses. It then refuses every use of a masked column except
   * as a plain result.
   */
  guardsColumns: boolean;
}) {
  const { value, onChange } = props;
  const setColumns = (columns: string[]) => onChange({ ...value, columns });
  const { open = [] } = value;
  const setOpen = (names: string[]) => onChange({ ...value, open: names });
  return (
    <fieldset className={styles.headers}>
      <legend>Masking</legend>
      <p className={styles.help}>
        External clients get ••• instead of the values of a masked column, in every answer and export. They
        can select the column, but not filter, sort, join, group or search by it, nor use it in an expression.
        In SQLite, a foreign key to a masked column is masked too. Check a kind of value below to mask each
        value of that kind. A column of text, numbers, bytes or JSON with one such value gets the same limits:
        clients can only select it. Trestle reads all rows to find these columns, and again before a client
        reads them after a change. A column that it cannot read to the end, for example in a very large table,
        gets these limits too. Columns of uuids, booleans, dates and vectors stay open.
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
      <EntryRows entries={value.columns} what="masked column" add="Add column" empty="" onChange={setColumns}>
        {(column, index) => (
          <TextInput
            aria-label={`Masked column ${index + 1}`}
            placeholder="column, or table.column; * stands for any characters"
            value={column}
            onValueChange={(text) =>
              setColumns(value.columns.map((before, at) => (at === index ? text : before)))
            }
          />
        )}
      </EntryRows>
      {value.patterns.length > 0 && (
        <EntryRows entries={open} what="open column" add="Open a column" empty="" onChange={setOpen}>
          {(column, index) => (
            <TextInput
              aria-label={`Open column ${index + 1}`}
              placeholder="column, or table.column, that stays open even with such values"
              value={column}
              onValueChange={(text) => setOpen(open.map((before, at) => (at === index ? text : before)))}
            />
          )}
        </EntryRows>
      )}
      {value.columns.some((column) => column.trim() !== '') && !props.guardsColumns && (
        <Note level="info">
          With masked columns, external clients can browse tables but not run queries: this driver cannot tell
          which columns a query reads.
        </Note>
      )}
    </fieldset>
  );
}
