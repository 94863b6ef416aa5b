import { type ColumnType, operatorArity } from '@trestle/driver-kit';
import { CalendarDays } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { TextInput } from '../../controls/fields/text-field.tsx';
import styles from './filter-bar.module.css';
import type { FilterValueProps } from './filter-value-props.ts';
import { ListValue } from './list-value.tsx';

/**
 * The editor of a filter's value, chosen by the operator and the column's type. Empty if the operator takes
 * no value.
 */
export function FilterValue(props: FilterValueProps) {
  const { draft, column } = props;
  const form = column?.valueForm;
  switch (operatorArity(draft.operator)) {
    case 'none':
      return null;
    case 'list':
      return <ListValue key={`${draft.id} ${draft.column}`} {...props} />;
    case 'two':
      return (
        <>
          <OneValue {...props} name="value" label="Lower bound" placeholder={form ?? 'From'} />
          <span className={styles.and}>and</span>
          <OneValue {...props} name="upper" label="Upper bound" placeholder={form ?? 'To'} />
        </>
      );
    case 'one':
      return <OneValue {...props} name="value" label="Value" placeholder={form ?? 'Value'} />;
  }
}

const numbers: (ColumnType | undefined)[] = ['int', 'number'];

function OneValue(props: FilterValueProps & { name: 'value' | 'upper'; label: string; placeholder: string }) {
  const { draft, column, name, number } = props;
  const label = `${props.label} of filter ${number}`;
  const change = (value: string) => props.onChange({ ...draft, [name]: value });
  const value = draft[name];
  if (column?.type === 'boolean' && (value === '' || value === 'true' || value === 'false')) {
    return (
      <span className={styles.value} data-filter-value>
        <Select
          size="small"
          aria-label={label}
          value={value}
          options={[
            ...(value === '' ? [{ value: '', label: 'Choose' }] : []),
            { value: 'true', label: 'true' },
            { value: 'false', label: 'false' },
          ]}
          onValueChange={change}
        />
      </span>
    );
  }
  const input = (
    <TextInput
      size="small"
      className={styles.value}
      aria-label={label}
      aria-invalid={props.invalid || undefined}
      aria-describedby={props.describedBy}
      placeholder={props.placeholder}
      inputMode={numbers.includes(column?.type) ? 'decimal' : undefined}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      data-filter-value={name === 'value' || undefined}
    />
  );
  return column?.type === 'date' ? (
    <span className={styles.date}>
      {input}
      <DayPicker
        label={`Pick a day for filter ${number}${name === 'upper' ? ', upper bound' : ''}`}
        value={value}
        onPick={change}
      />
    </span>
  ) : (
    input
  );
}

/** The browser's own calendar. The chosen day is written into the field. */
function DayPicker(props: { label: string; value: string; onPick(day: string): void }) {
  const calendar = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        size="small"
        label={props.label}
        className={styles.calendar}
        onClick={() => calendar.current?.showPicker()}
      >
        <CalendarDays size={13} aria-hidden />
      </IconButton>
      <input
        ref={calendar}
        type="date"
        tabIndex={-1}
        aria-hidden
        className={styles.picker}
        value={/^\d{4}-\d\d-\d\d/.exec(props.value)?.[0] ?? ''}
        onChange={(event) => event.currentTarget.value && props.onPick(event.currentTarget.value)}
      />
    </>
  );
}
