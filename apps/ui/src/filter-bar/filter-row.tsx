import { type ColumnDescription, operatorArity } from '@trestle/driver-kit';
import { Check, X } from 'lucide-react';
import { useId } from 'react';
import { classNames } from '../shared/class-names.ts';
import { Combobox } from '../shared/combobox.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { Select } from '../shared/select.tsx';
import { TextInput } from '../shared/text-field.tsx';
import { dateNote } from './date-note.ts';
import styles from './filter-bar.module.css';
import { type FilterDraft, moveDraft, operatorLabels } from './filter-draft.ts';

/** One filter: column, operator, value, whether it is applied, and the way to remove it. */
export function FilterRow(props: {
  draft: FilterDraft;
  number: number;
  columns: ColumnDescription[];
  applied: boolean;
  /** Said after an attempt to apply. */
  problem: string | null;
  onChange(draft: FilterDraft): void;
  onRemove(): void;
}) {
  const { draft, columns, number, problem } = props;
  const noteId = useId();
  const column = columns.find(({ name }) => name === draft.column);
  const arity = operatorArity(draft.operator);
  const support = column?.operators.find(({ operator }) => operator === draft.operator);
  const note = problem ?? dateNote(draft, column) ?? support?.matching;
  const form = column?.valueForm ?? (arity === 'list' ? 'value, value, …' : 'Value');
  const field = (name: 'value' | 'upper', label: string, placeholder: string) => (
    <TextInput
      size="small"
      className={styles.value}
      aria-label={`${label} of filter ${number}`}
      aria-invalid={problem !== null || undefined}
      aria-describedby={note ? noteId : undefined}
      placeholder={placeholder}
      value={draft[name]}
      onChange={(event) => props.onChange({ ...draft, [name]: event.currentTarget.value })}
      data-filter-value={name === 'value' || undefined}
    />
  );
  return (
    <li className={styles.row}>
      <Combobox
        size="small"
        className={styles.column}
        aria-label={`Column of filter ${number}`}
        value={draft.column}
        options={columns.map(({ name, nativeType }) => ({ value: name, label: name, detail: nativeType }))}
        onValueChange={(name) => {
          const next = columns.find((candidate) => candidate.name === name);
          if (next) props.onChange(moveDraft(draft, next));
        }}
      />
      <Select
        size="small"
        className={styles.operator}
        aria-label={`Operator of filter ${number}`}
        value={draft.operator}
        options={(column?.operators ?? []).map(({ operator, refusal }) => ({
          value: operator,
          label: operatorLabels[operator],
          ...(refusal && { detail: refusal, disabled: true }),
        }))}
        onValueChange={(operator) => props.onChange({ ...draft, operator })}
      />
      <div className={styles.values}>
        {(arity === 'one' || arity === 'list') && field('value', arity === 'list' ? 'Values' : 'Value', form)}
        {arity === 'two' && (
          <>
            {field('value', 'Lower bound', column?.valueForm ?? 'From')}
            <span className={styles.and}>and</span>
            {field('upper', 'Upper bound', column?.valueForm ?? 'To')}
          </>
        )}
      </div>
      <span className={classNames(styles.state, props.applied && styles.applied)}>
        {props.applied && <Check size={12} aria-hidden />}
        {props.applied ? 'Applied' : 'Not applied'}
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
