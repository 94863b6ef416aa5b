import { useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Calendar } from './calendar.tsx';
import { dayIn, withDay } from './calendar-days.ts';
import { localDate } from './date-text.ts';
import { usePlainText } from './plain-text.ts';
import styles from './value-editors.module.css';
import type { ValueFieldProps } from './value-field-props.ts';

/** A date as RFC 3339 text, with a calendar that changes the day in it. */
export function DateField(props: ValueFieldProps) {
  const { text, onText } = props;
  const [now] = useState(() => new Date());
  const today = { year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() };
  const local = props.isInvalid ? null : localDate(text.trim());
  return (
    <div className={styles.date}>
      <TextLine {...props} />
      <div className={styles.dateNote}>
        <span>{local && text.includes('T') ? `${local} local time` : ''}</span>
        {!props.isReadOnly && (
          <Button size="small" variant="quiet" onClick={() => onText(new Date().toISOString())}>
            Now
          </Button>
        )}
      </div>
      {!props.isReadOnly && (
        <Calendar value={dayIn(text)} today={today} onPick={(day) => onText(withDay(text, day))} />
      )}
    </div>
  );
}

/** A field for a value of one line. Enter calls `onEnter`. */
function TextLine(props: ValueFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <input
      ref={field}
      className={styles.line}
      {...usePlainText(props, field)}
      autoComplete="off"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing || !props.onEnter) return;
        event.preventDefault();
        props.onEnter();
      }}
    />
  );
}
