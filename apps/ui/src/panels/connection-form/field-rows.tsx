import type { ManifestField as Field } from '@trestle/driver-kit';
import styles from './connection-form.module.css';
import { ManifestField } from './manifest-field.tsx';
import type { useConnectionForm } from './use-connection-form.ts';

/** An integer shares the row of a text field before it, as a port and its host do. Other fields have their own rows. */
export function FieldRows(props: { form: ReturnType<typeof useConnectionForm>; fields: Field[] }) {
  const { values, problems, setField, fill } = props.form;
  return rowsOf(props.fields).map((row) => (
    <div key={row[0]!.id} className={row.length > 1 ? styles.pair : styles.single}>
      {row.map((field) => (
        <ManifestField
          key={field.id}
          field={field}
          input={values.fields[field.id]!}
          error={problems.fields[field.id]}
          onChange={(input) => setField(field.id, input)}
          onFill={fill}
        />
      ))}
    </div>
  ));
}

function rowsOf(fields: Field[]): Field[][] {
  const rows: Field[][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    if (field.type === 'integer' && last?.length === 1 && last[0]?.type === 'text') last.push(field);
    else rows.push([field]);
  }
  return rows;
}
