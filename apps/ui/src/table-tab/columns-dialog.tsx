import { useState } from 'react';
import { Button } from '../controls/buttons/button.tsx';
import { Dialog } from '../controls/dialogs/dialog.tsx';
import { Checkbox } from '../controls/fields/checkbox.tsx';
import { SearchField } from '../controls/fields/search-field.tsx';
import styles from './table-tab.module.css';
import type { Columns } from './use-columns.ts';

/** More checkboxes than this are slow to draw. The search field finds the other columns. */
const shownNames = 200;

/** The user chooses which columns are shown. Each checkbox takes effect at once. */
export function ColumnsDialog({
  table,
  columns,
  onClose,
}: {
  table: string;
  columns: Columns;
  onClose(): void;
}) {
  const [text, setText] = useState('');
  const { names, hidden, acts } = columns;
  const found = names.filter((name) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const gone = new Set(hidden);
  const shown = names.length - gone.size;
  const more = found.length - shownNames;
  return (
    <Dialog
      open
      title={`Columns of ${table}`}
      description={`${shown.toLocaleString('en')} of ${names.length.toLocaleString('en')} shown`}
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" disabled={!acts.reset} focusableWhenDisabled onClick={() => acts.reset?.()}>
            Reset columns
          </Button>
          <Button disabled={gone.size === 0} focusableWhenDisabled onClick={() => columns.show(names)}>
            Show all
          </Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <SearchField label="Find a column" value={text} onValueChange={setText} />
      <ul className={styles.columnList} aria-label="Columns">
        {found.slice(0, shownNames).map((name) => (
          <li key={name}>
            <Checkbox
              label={name}
              checked={!gone.has(name)}
              // At least one column stays visible, because the menu of its header opens this dialog.
              disabled={shown === 1 && !gone.has(name)}
              onCheckedChange={(isShown) => (isShown ? columns.show([name]) : columns.hide([name]))}
            />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className={styles.muted}>and {more.toLocaleString('en')} more: type a part of the name</p>
      )}
      {found.length === 0 && <p className={styles.muted}>No column has this text in its name</p>}
    </Dialog>
  );
}
