import type { TableDescription } from '@trestle/driver-kit';
import { useState } from 'react';
import { Button } from '../shared/button.tsx';
import { Checkbox } from '../shared/checkbox.tsx';
import { Dialog } from '../shared/dialog.tsx';
import { Field } from '../shared/field.tsx';
import { Select } from '../shared/select.tsx';
import styles from './export.module.css';
import type { ExportBody } from './export-api.ts';

export interface ExportChoice extends Pick<ExportBody, 'format' | 'escapeFormulas'> {
  columns: string[];
  filtered: boolean;
}

/** What to write: the format, which rows, and whether the columns that come late (vectors) come too. */
export function ExportDialog(props: {
  description: TableDescription;
  filterCount: number;
  onExport(choice: ExportChoice): void;
  onClose(): void;
}) {
  const columns = props.description.columns.filter(({ hidden }) => !hidden);
  const late = columns.filter(({ deferred }) => deferred);
  const [format, setFormat] = useState<ExportBody['format']>('csv');
  const [filtered, setFiltered] = useState(props.filterCount > 0);
  const [withLate, setWithLate] = useState(false);
  const [escapeFormulas, setEscapeFormulas] = useState(true);
  const lateNames = late.map(({ name }) => name).join(', ');
  return (
    <Dialog
      open
      width="small"
      title={`Export ${props.description.name}`}
      description="The browser saves the file among its downloads."
      onClose={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button
            variant="primary"
            onClick={() =>
              props.onExport({
                format,
                escapeFormulas,
                filtered,
                columns: columns.filter(({ deferred }) => withLate || !deferred).map(({ name }) => name),
              })
            }
          >
            Export
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Field label="Format">
          <Select value={format} options={formats} onValueChange={setFormat} />
        </Field>
        <Field label="Rows">
          <Select
            value={filtered ? 'filtered' : 'all'}
            options={[
              { value: 'all', label: 'All rows' },
              {
                value: 'filtered',
                label: props.filterCount === 1 ? 'Rows that match the filter' : 'Rows that match the filters',
                ...(props.filterCount === 0 && { detail: 'No filter is applied', disabled: true }),
              },
            ]}
            onValueChange={(value) => setFiltered(value === 'filtered')}
          />
        </Field>
        {late.length > 0 && (
          <Checkbox
            label={late.length === 1 ? `Include ${lateNames}` : 'Include vectors'}
            help={late.length === 1 ? 'Makes a much larger file.' : `${lateNames}. Makes a much larger file.`}
            checked={withLate}
            onCheckedChange={setWithLate}
          />
        )}
        {format === 'csv' && (
          <Checkbox
            label="Safe to open in a spreadsheet"
            help="Text that begins like a formula gets an apostrophe in front. Turn it off for an exact copy."
            checked={escapeFormulas}
            onCheckedChange={setEscapeFormulas}
          />
        )}
      </div>
    </Dialog>
  );
}

const formats: { value: ExportBody['format']; label: string; detail: string }[] = [
  { value: 'csv', label: 'CSV', detail: 'NULL is an empty field, empty text is ""' },
  { value: 'json', label: 'JSON', detail: 'One array of objects' },
  { value: 'jsonl', label: 'JSON Lines', detail: 'One object a line' },
];
