import type { Partition, TableDescription } from '@trestle/driver-kit';
import { Checkbox } from '../../controls/fields/checkbox.tsx';
import { Field } from '../../controls/fields/field.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { counted } from '../../controls/text/counted.ts';
import { Note } from '../../data/messages/error-note.tsx';
import { ColumnMap } from './column-map.tsx';
import styles from './import.module.css';
import { missingIdWords } from './import-words.ts';
import type { Existing, Import } from './use-import.ts';

export interface MapChoice {
  existing: Existing;
  partition: string | undefined;
}

/** The user maps the columns, and chooses the tenant and how to treat rows that already exist. */
export function MapStep(props: {
  importing: Import;
  description: TableDescription;
  partitions: Partition[] | undefined;
  choice: MapChoice;
  onChoice(choice: MapChoice): void;
}) {
  const { importing, description, choice, onChoice } = props;
  const { file, plan } = importing;
  if (!file || !plan) return null;
  const key = description.key.join(', ');
  const open = props.partitions?.filter(({ unavailable }) => unavailable === undefined) ?? [];
  return (
    <div className={styles.step}>
      <p className={styles.summary}>
        <strong>{file.name}</strong>: {counted(file.rows, 'row')}, {formats[file.format]}
        {!plan.refusal && <span role="status"> · {counted(plan.fit, 'fits', 'fit')}</span>}
      </p>
      <ColumnMap file={file} plan={plan} description={description} onChange={importing.changeMap} />
      {plan.refusal && <Note level="error">{plan.refusal.message}.</Note>}
      {plan.otherRows.count > 0 && plan.otherRows.first && (
        <Note level="warning">
          {counted(plan.otherRows.count, 'row')} cannot be sent. Line {plan.otherRows.first.line}:{' '}
          {plan.otherRows.first.problem}.
        </Note>
      )}
      {(plan.refusal?.needsNewIds || importing.newIds) && (
        <Checkbox
          label="Let the database number the new rows"
          help="A second import of the file then adds them again."
          checked={importing.newIds}
          onCheckedChange={importing.changeNewIds}
        />
      )}
      <div className={styles.choices}>
        {description.partitioned && (
          <Field label="Tenant" required>
            <Select
              value={choice.partition ?? ''}
              options={[
                { value: '', label: 'Choose a tenant', disabled: true },
                ...open.map(({ name }) => ({ value: name, label: name })),
              ]}
              onValueChange={(partition) => onChoice({ ...choice, partition })}
            />
          </Field>
        )}
        <Field label={`Rows whose ${key || 'id'} exists`}>
          <Select
            value={choice.existing}
            options={existingOptions}
            onValueChange={(existing) => onChoice({ ...choice, existing })}
          />
        </Field>
      </div>
      {plan.note !== undefined && <p className={styles.muted}>{plan.note}</p>}
      {plan.missingId === 'derived' && <p className={styles.muted}>{missingIdWords(key, file.columns)}</p>}
    </div>
  );
}

const existingOptions: { value: Existing; label: string; detail: string }[] = [
  { value: 'skip', label: 'Leave them alone', detail: 'They are counted' },
  { value: 'replace', label: 'Replace them', detail: 'In the columns that the file has' },
  { value: 'stop', label: 'Stop at the first', detail: 'Rows before it are stored, rows after it may be' },
];

const formats = { csv: 'CSV', json: 'a JSON array', jsonl: 'JSON lines' };
