import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import styles from './calendar.module.css';
import { addDays, addMonths, type Day, dayText, weekday, weeksOf } from './calendar-days.ts';

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/**
 * A month to choose a day from. Arrow keys move the focus by day or week, Home and End to the ends of the week. Page Up
 * and Page Down move the focus by month, with Shift by year.
 */
export function Calendar(props: { value: Day | null; today: Day; onPick(day: Day): void }) {
  const { value, today } = props;
  const [at, setAt] = useState(value ?? today);
  const chosen = value && dayText(value);
  // When the user types a date, the calendar shows its month.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `chosen` changes only with the day of `value`
  useEffect(() => {
    if (value) setAt(value);
  }, [chosen]);
  const body = useRef<HTMLTableSectionElement>(null);
  const byKey = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the day that a key moved to
  useEffect(() => {
    if (byKey.current) body.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    byKey.current = false;
  }, [at]);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moved(at, event);
    if (!next) return;
    event.preventDefault();
    byKey.current = true;
    setAt(next);
  };
  const title = `${months[at.month - 1]} ${at.year}`;
  return (
    <div className={styles.calendar}>
      <div className={styles.head}>
        <IconButton label="Previous year" size="small" onClick={() => setAt(addMonths(at, -12))}>
          <ChevronsLeft size={14} aria-hidden />
        </IconButton>
        <IconButton label="Previous month" size="small" onClick={() => setAt(addMonths(at, -1))}>
          <ChevronLeft size={14} aria-hidden />
        </IconButton>
        <span className={styles.title} aria-live="polite">
          {title}
        </span>
        <IconButton label="Next month" size="small" onClick={() => setAt(addMonths(at, 1))}>
          <ChevronRight size={14} aria-hidden />
        </IconButton>
        <IconButton label="Next year" size="small" onClick={() => setAt(addMonths(at, 12))}>
          <ChevronsRight size={14} aria-hidden />
        </IconButton>
      </div>
      <table aria-label={title} className={styles.month}>
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col" abbr={name}>
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={onKeyDown}>
          {weeksOf(at).map((week, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the weeks of a month keep their order
            <tr key={index}>
              {week.map((day, place) => (
                <td key={weekdays[place]}>
                  {day && (
                    <button
                      type="button"
                      className={styles.day}
                      tabIndex={day.day === at.day ? 0 : -1}
                      aria-label={`${day.day} ${title}`}
                      aria-current={dayText(day) === dayText(today) ? 'date' : undefined}
                      aria-pressed={dayText(day) === chosen}
                      onClick={() => {
                        setAt(day);
                        props.onPick(day);
                      }}
                    >
                      {day.day}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function moved(at: Day, { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): Day | null {
  switch (key) {
    case 'ArrowLeft':
      return addDays(at, -1);
    case 'ArrowRight':
      return addDays(at, 1);
    case 'ArrowUp':
      return addDays(at, -7);
    case 'ArrowDown':
      return addDays(at, 7);
    case 'Home':
      return addDays(at, -weekday(at));
    case 'End':
      return addDays(at, 6 - weekday(at));
    case 'PageUp':
      return addMonths(at, shiftKey ? -12 : -1);
    case 'PageDown':
      return addMonths(at, shiftKey ? 12 : 1);
    default:
      return null;
  }
}
