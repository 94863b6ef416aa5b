import type { ColumnDescription } from '@trestle/driver-kit';
import { Check, Square, SquareCheck, X } from 'lucide-react';
import { useId, useMemo } from 'react';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { Combobox } from '../../controls/fields/combobox.tsx';
import { classNames } from '../../controls/styles/class-names.ts';
import { dateNote } from './date-note.ts';
import styles from './filter-bar.module.css';
import { type FilterDraft, moveDraft } from './filter-draft.ts';
import { FilterValue } from './filter-value.tsx';
import { OperatorSelect } from './operator-select.tsx';

/** One filter: on or off, column, operator, value, whether it is applied, and a Remove button. */
export function FilterRow(props: {
  draft: FilterDraft;
  number: number;
  columns: ColumnDescription[];
  applied: boolean;
  /** Why the filter could not be read or run. */
  problem: string | null;
  onChange(draft: FilterDraft): void;
  onRemove(): void;
}) {
  const { draft, columns, number, problem } = props;
  const noteId = useId();
  // Keep the same list while rows load: a new list would reset the text that the user is typing.
  const options = useMemo(
    () => columns.map(({ name, nativeType }) => ({ value: name, label: name, detail: nativeType })),
    [columns],
  );
  const column = columns.find(({ name }) => name === draft.column);
  const support = column?.operators.find(({ operator }) => operator === draft.operator);
  const note = problem ?? dateNote(draft, column) ?? support?.matching;
  return (
    <li data-filter-row className={styles.row}>
      <IconButton
        size="small"
        role="switch"
        aria-checked={!draft.off}
        label={`Use filter ${number}`}
        className={styles.use}
        onClick={() => props.onChange({ ...draft, off: !draft.off })}
      >
        {draft.off ? <Square size={14} aria-hidden /> : <SquareCheck size={14} aria-hidden />}
      </IconButton>
      <Combobox
        size="small"
        className={styles.column}
        aria-label={`Column of filter ${number}`}
        value={draft.column}
        options={options}
        onValueChange={(name) => {
          const next = columns.find((candidate) => candidate.name === name);
          if (next) props.onChange(moveDraft(draft, next));
        }}
      />
      <OperatorSelect
        className={styles.operator}
        aria-label={`Operator of filter ${number}`}
        value={draft.operator}
        operators={column?.operators ?? []}
        onValueChange={(operator) => props.onChange({ ...draft, operator })}
      />
      <div className={styles.values}>
        <FilterValue
          {...{ draft, number, column }}
          invalid={problem !== null}
          describedBy={note ? noteId : undefined}
          onChange={props.onChange}
        />
      </div>
      <span className={classNames(styles.state, props.applied && styles.applied)}>
        {props.applied && <Check size={12} aria-hidden />}
        {draft.off ? 'Off' : props.applied ? 'Applied' : 'Not applied'}
      </span>
      <IconButton size="small" label={`Remove filter ${number}`} onClick={props.onRemove}>
        <X size={13} aria-hidden />
      </IconButton>
      {note && (
        <p
          id={noteId}
          role={problem === null ? undefined : 'alert'}
          className={classNames(styles.note, problem !== null && styles.problem)}
        >
          {note}
        </p>
      )}
    </li>
  );
}
