import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import styles from './tag-field.module.css';
import { movedTag, readTag, type Tag, tagKind, tagText } from './tag-list.ts';
import type { ValueFieldProps } from './value-field-props.ts';

/**
 * A flat list, edited entry by entry. Alt with an arrow moves an entry, Delete removes it, Enter adds one.
 */
export function TagField(props: ValueFieldProps & { tags: Tag[] }) {
  const { isReadOnly } = props;
  const [added, setAdded] = useState('');
  /**
   * The value without the entry that the user is typing. Null if the user is not typing one. `props.text` already
   * includes that entry if it fits the list, so a save includes it too.
   */
  const [before, setBefore] = useState<{ tags: Tag[]; text: string } | null>(null);
  const tags = before?.tags ?? props.tags;
  // If the user removes all numbers of a list, new entries are numbers too, even if the list's type does not say so.
  const [firstKind] = useState(() => tagKind(tags, props.nativeType));
  const kind = tags.length > 0 ? tagKind(tags, props.nativeType) : firstKind;
  const typed = readTag(added, kind);
  const misfit = added === '' || typed.ok ? null : typed.problem;
  const { onMisfit } = props;
  useEffect(() => {
    onMisfit(misfit);
    return () => onMisfit(null);
  }, [misfit, onMisfit]);
  const [focusAt, setFocusAt] = useState<number | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const hintId = useId();
  const { takesFocus } = props;
  useLayoutEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  useLayoutEffect(() => {
    if (focusAt === null) return;
    const entry = list.current?.children[focusAt];
    if (entry instanceof HTMLElement) entry.focus();
    else input.current?.focus();
    setFocusAt(null);
  }, [focusAt]);
  const put = (next: Tag[]) => props.onText(tagText(next));
  const add = () => {
    if (!typed.ok) return;
    put([...tags, typed.tag]);
    setAdded('');
    setBefore(null);
  };
  const type = (entry: string) => {
    const without = before ?? { tags, text: props.text };
    const read = readTag(entry, kind);
    setAdded(entry);
    setBefore(entry === '' ? null : without);
    if (entry !== '' && read.ok) put([...tags, read.tag]);
    else props.onText(without.text);
  };
  /** While an entry that does not fit is being typed, the other entries can still be changed. */
  const change = (next: Tag[]) => {
    if (before) setBefore({ tags: next, text: tagText(next) });
    put(next);
  };
  const remove = (index: number) => {
    change(tags.toSpliced(index, 1));
    setFocusAt(Math.min(index, tags.length - 2));
  };
  const onEntryKey = (event: KeyboardEvent, index: number) => {
    if (event.target !== event.currentTarget) return;
    const to = { ArrowUp: index - 1, ArrowLeft: index - 1, ArrowDown: index + 1, ArrowRight: index + 1 }[
      event.key
    ];
    if (to !== undefined) {
      event.preventDefault();
      if (event.altKey && !isReadOnly && to >= 0 && to < tags.length) change(movedTag(tags, index, to));
      if (to >= 0) setFocusAt(to);
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && !isReadOnly) {
      event.preventDefault();
      remove(index);
    }
  };
  return (
    <div className={styles.field}>
      <ul ref={list} className={styles.tags} aria-label={`Entries of ${props.label}`}>
        {tags.map((tag, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a value may occur twice
            key={index}
            className={styles.tag}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: an entry is moved and removed by keys
            tabIndex={0}
            aria-describedby={isReadOnly ? undefined : hintId}
            onKeyDown={(event) => onEntryKey(event, index)}
          >
            <span>{String(tag)}</span>
            {!isReadOnly && (
              <IconButton label={`Remove ${tag}`} size="small" tabIndex={-1} onClick={() => remove(index)}>
                <X size={12} aria-hidden />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {!isReadOnly && (
        <input
          ref={input}
          className={styles.add}
          value={added}
          aria-label={`Add to ${props.label}`}
          aria-invalid={misfit !== null}
          placeholder="Add an entry"
          autoComplete="off"
          onChange={(event) => type(event.target.value)}
          onBlur={() => added !== '' && add()}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
              event.preventDefault();
              if (added !== '') add();
              else props.onEnter?.();
            } else if (event.key === 'Backspace' && added === '' && tags.length > 0) {
              event.preventDefault();
              remove(tags.length - 1);
            } else if (event.key === 'ArrowUp' && tags.length > 0) setFocusAt(tags.length - 1);
          }}
        />
      )}
      {!isReadOnly && (
        <p id={hintId} className={styles.hint}>
          Enter adds an entry. On an entry, Alt with an arrow key moves it and Delete removes it.
        </p>
      )}
    </div>
  );
}
