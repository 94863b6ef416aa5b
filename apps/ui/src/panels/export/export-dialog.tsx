import type { ColumnDescription, TableDescription } from '@trestle/driver-kit';
import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Dialog } from '../../controls/dialogs/dialog.tsx';
import { Checkbox } from '../../controls/fields/checkbox.tsx';
import { Field } from '../../controls/fields/field.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { Note } from '../../data/messages/error-note.tsx';
import styles from './export.module.css';
import type { ExportBody } from './export-api.ts';

/** `matching`: all rows that match the filters. */
export type RowsChoice = 'selection' | 'page' | 'matching' | 'all';

export interface ExportChoice extends Pick<ExportBody, 'format' | 'escapeFormulas'> {
  columns: string[];
  rows: RowsChoice;
  /** For `matching` and `all`: whether the rows are sorted like the grid. Otherwise false. */
  sorted: boolean;
}

/** The rows that a tab can export now. */
export interface ExportOffer {
  /** Selected rows that can be exported: they are stored, and have a key. */
  selected: number;
  /** Stored rows of the page or of the search result. If 0, the dialog does not offer them. */
  shown: number;
  isSearch: boolean;
  filters: number;
  /** Names of the columns that the grid is sorted by. */
  sortedBy: string[];
  /** The initial choice, if the user asked for one. */
  first?: RowsChoice;
}

/** Chooses the format, the rows, and whether to include columns that load late, such as vectors. */
export function ExportDialog(props: {
  description: TableDescription;
  offer: ExportOffer;
  /** An export of the tab still runs. The next export has to wait for its end. */
  isRunning: boolean;
  onExport(choice: ExportChoice): void;
  onClose(): void;
}) {
  const { offer } = props;
  const columns = props.description.columns.filter(({ hidden }) => !hidden);
  const late = columns.filter(({ deferred }) => deferred);
  const options = rowOptions(offer);
  const [format, setFormat] = useState<ExportBody['format']>('csv');
  const [rows, setRows] = useState<RowsChoice>(firstChoice(offer));
  const [withLate, setWithLate] = useState(false);
  const [sorted, setSorted] = useState(true);
  const [escapeFormulas, setEscapeFormulas] = useState(false);
  const lateNames = late.map(({ name }) => name).join(', ');
  const canSort = offer.sortedBy.length > 0 && (rows === 'matching' || rows === 'all');
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
            disabled={props.isRunning}
            focusableWhenDisabled
            onClick={() =>
              props.onExport({
                format,
                escapeFormulas,
                rows,
                sorted: canSort && sorted,
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
        {props.isRunning && (
          <Note level="info">
            <p role="status">Another export of this tab is running. Wait for its end, or cancel it.</p>
          </Note>
        )}
        <Field label="Rows">
          <Select value={rows} options={options} onValueChange={setRows} />
        </Field>
        <Field label="Format">
          <Select value={format} options={formats} onValueChange={setFormat} />
        </Field>
        {canSort && (
          <Checkbox
            label={`Sorted by ${offer.sortedBy.join(', ')}`}
            help="Turn this option off for a table that the database cannot sort as a whole."
            checked={sorted}
            onCheckedChange={setSorted}
          />
        )}
        {late.length > 0 && (
          <Checkbox
            label={lateLabel(late)}
            help={late.length === 1 ? 'Makes a much larger file.' : `${lateNames}. Makes a much larger file.`}
            checked={withLate}
            onCheckedChange={setWithLate}
          />
        )}
        {format === 'csv' && (
          <Checkbox
            label="For a spreadsheet: no text runs as a formula"
            help="Puts an apostrophe before text that begins with = + - or @. An import of the file gets the apostrophe too."
            checked={escapeFormulas}
            onCheckedChange={setEscapeFormulas}
          />
        )}
      </div>
    </Dialog>
  );
}

export function lateLabel(late: Pick<ColumnDescription, 'name' | 'type'>[]): string {
  if (late.length === 1) return `Include ${late[0]!.name}`;
  return late.every(({ type }) => type === 'vector') ? 'Include vectors' : 'Include large columns';
}

export function firstChoice({ first, selected, shown, filters, isSearch }: ExportOffer): RowsChoice {
  if (first) return first;
  // The row with the cursor counts as selected. So one selected row can be a row that the user did not select.
  if (selected > 1) return 'selection';
  if (isSearch && shown > 0) return 'page';
  return filters > 0 ? 'matching' : 'all';
}

function rowOptions({ selected, shown, isSearch, filters }: ExportOffer) {
  const so = (count: number) => count.toLocaleString('en');
  const options: { value: RowsChoice; label: string; detail?: string }[] = [];
  if (selected > 0) {
    options.push({
      value: 'selection',
      label: selected === 1 ? 'Selected row' : `Selected rows (${so(selected)})`,
    });
  }
  if (shown > 0) {
    options.push({
      value: 'page',
      label: `${isSearch ? 'Results of the search' : 'This page'} (${so(shown)})`,
    });
  }
  if (filters > 0) {
    const label = filters === 1 ? 'Rows that match the filter' : 'Rows that match the filters';
    options.push({ value: 'matching', label, detail: 'On every page' });
  }
  options.push({ value: 'all', label: 'All rows' });
  return options;
}

const formats: { value: ExportBody['format']; label: string; detail: string }[] = [
  { value: 'csv', label: 'CSV', detail: 'NULL is an empty field, empty text is ""' },
  { value: 'jsonl', label: 'JSON lines', detail: 'One object per line' },
  { value: 'json', label: 'JSON', detail: 'One array of objects' },
  { value: 'parquet', label: 'Parquet', detail: 'For data tools: typed columns, compressed' },
];
