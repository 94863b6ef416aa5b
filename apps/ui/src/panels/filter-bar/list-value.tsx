import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import control from '../../controls/fields/control.module.css';
import { classNames } from '../../controls/styles/class-names.ts';
import styles from './filter-bar.module.css';
import type { FilterValueProps } from './filter-value-props.ts';
import { endedValues, listText, readValues, reopenLast } from './list-text.ts';

/**
 * A list of values. A comma ends a value. Backspace in the empty field reopens the last value.
 * Enter applies the filters.
 */
export function ListValue(props: FilterValueProps) {
  const { draft, number } = props;
  const input = useRef<HTMLInputElement>(null);
  const [values, setValues] = useState(() => readValues(draft.value));
  const [text, setText] = useState(() => (values.length > 0 ? '' : draft.value));
  const write = (list: string[], rest: string) => {
    setValues(list);
    setText(rest);
    props.onChange({ ...draft, value: listText({ values: list, rest }) });
  };
  return (
    <span className={classNames(control.control, control.small, styles.list)}>
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list may contain a value twice
        <span key={`${value} ${index}`} className={styles.tag}>
          <span title={value}>{value === '' ? '“”' : value}</span>
          <button
            type="button"
            tabIndex={-1}
            aria-label={`Remove ${value} from filter ${number}`}
            onClick={() => {
              write(
                values.filter((_, at) => at !== index),
                text,
              );
              input.current?.focus();
            }}
          >
            <X size={11} aria-hidden />
          </button>
        </span>
      ))}
      <input
        ref={input}
        autoComplete="off"
        spellCheck={false}
        aria-label={`Values of filter ${number}`}
        aria-invalid={props.invalid || undefined}
        aria-describedby={props.describedBy}
        placeholder={values.length === 0 ? 'value, value, …' : ''}
        value={text}
        onChange={(event) => {
          const typed = event.currentTarget.value;
          const complete = typed.includes(',') ? endedValues(typed) : null;
          if (complete) write([...values, ...complete.values], complete.rest);
          else write(values, typed);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Backspace' || text !== '' || values.length === 0) return;
          event.preventDefault();
          const reopened = reopenLast(values);
          write(reopened.values, reopened.rest);
        }}
        data-filter-value
      />
    </span>
  );
}
