import type { Match } from '@trestle/driver-kit';
import { CircleAlert, ListFilter, Square, SquareCheck, X } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { Tooltip } from '../../controls/popups/tooltip.tsx';
import { classNames } from '../../controls/styles/class-names.ts';
import { counted } from '../../controls/text/counted.ts';
import styles from './filter-bar.module.css';
import type { FilterEntry } from './filter-entries.ts';
import { filterText, filterWords } from './filter-text.ts';

/** The filters in one line. If they do not fit, one button replaces them and opens the builder. */
export function FilterChips(props: {
  entries: FilterEntry[];
  match: Match;
  /** The index of the filter that the driver refused; -1 if it refused none, or if that filter is unknown. */
  refusedAt: number;
  refused: boolean;
  /** The id of the text about the refusal. */
  describedBy: string | undefined;
  onEdit(index: number, chip: Element): void;
  onChange(entries: FilterEntry[], match: Match): void;
}) {
  const { entries, match } = props;
  const text = entries.map(({ filter }) => filterText(filter)).join(match);
  const { slot, chips, folded } = useFold(text);
  const without = (index: number) => entries.filter((_, at) => at !== index);
  const switched = (index: number) =>
    entries.map((entry, at) => (at === index ? { ...entry, off: !entry.off } : entry));
  const word = match === 'all' ? 'and' : 'or';
  const inForce = entries.filter(({ off }) => !off).length;
  if (entries.length === 0) return null;
  if (folded) {
    return (
      <div ref={slot} className={styles.slot}>
        <button
          type="button"
          data-filter-chip
          className={classNames(styles.folded, props.refused && styles.refused)}
          aria-describedby={props.describedBy}
          onClick={(event) => props.onEdit(0, event.currentTarget)}
        >
          {props.refused ? <CircleAlert size={13} aria-hidden /> : <ListFilter size={13} aria-hidden />}
          {inForce === entries.length
            ? counted(inForce, 'filter')
            : `${inForce} of ${entries.length} filters`}
        </button>
      </div>
    );
  }
  return (
    <div ref={slot} className={styles.slot}>
      <ul ref={chips} aria-label="Filters" className={styles.chips}>
        {entries.map(({ filter, off }, index) => {
          const words = filterWords(filter);
          const name = filterText(filter);
          const isRefused = props.refused && (props.refusedAt === index || props.refusedAt < 0) && !off;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two filters may be equal
            <li key={`${name} ${index}`} className={styles.entry}>
              {index === 1 && (
                <Tooltip text={`Rows that match ${match === 'all' ? 'all' : 'any'} of the filters`}>
                  <button
                    type="button"
                    className={styles.match}
                    aria-label={`Combined with ${word}: switch to ${match === 'all' ? 'or' : 'and'}`}
                    onClick={() => props.onChange(entries, match === 'all' ? 'any' : 'all')}
                  >
                    {word}
                  </button>
                </Tooltip>
              )}
              {index > 1 && <span className={styles.word}>{word}</span>}
              <span
                data-filter-chip
                className={classNames(styles.chip, off && styles.off, isRefused && styles.refused)}
              >
                <button
                  type="button"
                  role="switch"
                  aria-checked={!off}
                  aria-label={`Filter ${index + 1}: ${name}`}
                  title={off ? 'Off: switch it on' : 'On: switch it off'}
                  className={styles.toggle}
                  onClick={() => props.onChange(switched(index), match)}
                >
                  {isRefused ? (
                    <CircleAlert size={13} aria-hidden />
                  ) : off ? (
                    <Square size={13} aria-hidden />
                  ) : (
                    <SquareCheck size={13} aria-hidden />
                  )}
                </button>
                <button
                  type="button"
                  className={styles.words}
                  title={name}
                  aria-label={`Edit filter ${index + 1}: ${name}`}
                  aria-describedby={isRefused ? props.describedBy : undefined}
                  onClick={(event) =>
                    props.onEdit(index, event.currentTarget.parentElement ?? event.currentTarget)
                  }
                >
                  {words.column} <i>{words.sign}</i> {words.value}
                </button>
                <button
                  type="button"
                  className={styles.remove}
                  aria-label={`Remove filter ${index + 1}: ${name}`}
                  title="Remove"
                  onClick={() => props.onChange(without(index), match)}
                >
                  <X size={12} aria-hidden />
                </button>
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The width of the Filter button and of the gap before it. */
const besides = 28;

/**
 * `folded`: the chips do not fit. The width of the chips is measured when their text changes. The available width is
 * measured again when the bar or a control beside it is resized.
 */
function useFold(text: string) {
  const slot = useRef<HTMLDivElement>(null);
  const chips = useRef<HTMLUListElement>(null);
  const [needs, setNeeds] = useState<{ text: string; width: number } | null>(null);
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY);
  const known = needs?.text === text ? needs.width : null;
  useLayoutEffect(() => {
    if (known === null && chips.current) setNeeds({ text, width: chips.current.scrollWidth });
  }, [text, known]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the slot exists only while there is a filter
  useLayoutEffect(() => {
    const bar = slot.current?.parentElement;
    const line = bar?.parentElement;
    if (!bar || !line) return;
    const look = () => setRoom(widestOf(bar) - besides);
    look();
    const observer = new ResizeObserver(look);
    const observe = () => {
      for (const element of [line, ...line.children]) observer.observe(element);
    };
    observe();
    const children = new MutationObserver(observe);
    children.observe(line, { childList: true });
    return () => {
      observer.disconnect();
      children.disconnect();
    };
  }, [text === '']);
  return { slot, chips, folded: known !== null && known > room };
}

/**
 * The width of the bar if it had all space that the controls beside it do not need. This width must not depend on the
 * fold, or the bar would fold and unfold without end. The minimum width is therefore always that of the unfolded bar.
 */
function widestOf(bar: HTMLElement): number {
  bar.style.flex = '1000 1 0';
  bar.style.minWidth = '118px';
  const width = bar.clientWidth;
  bar.style.flex = '';
  bar.style.minWidth = '';
  return width;
}
