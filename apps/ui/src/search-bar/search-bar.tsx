import type { SearchMode, SearchSupport } from '@trestle/driver-kit';
import { Search, X } from 'lucide-react';
import { type RefObject, useId, useImperativeHandle, useRef, useState } from 'react';
import { Button } from '../shared/button.tsx';
import { ErrorNote } from '../shared/error-note.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { Select } from '../shared/select.tsx';
import { TextInput } from '../shared/text-field.tsx';
import { AlphaSlider } from './alpha-slider.tsx';
import styles from './search-bar.module.css';
import {
  modeLabels,
  needsVector,
  readSearch,
  refusalOf,
  type SearchDraft,
  type TableSearch,
  typedModes,
} from './search-draft.ts';

export interface SearchBarHandle {
  focus(): void;
}

/** One line: how to search, what for, and what the mode needs beside it. Enter runs it, Escape takes it back. */
export function SearchBar(props: {
  support: SearchSupport;
  draft: SearchDraft;
  /** The search that was asked for last; null where the table itself is. */
  searched: TableSearch | null;
  error: unknown;
  onDraft(draft: SearchDraft): void;
  onSearch(search: TableSearch): void;
  onClear(): void;
  /** Escape with nothing left to take back. */
  onLeave(): void;
  ref?: RefObject<SearchBarHandle | null>;
}) {
  const { support, draft, onDraft } = props;
  const input = useRef<HTMLInputElement>(null);
  const problemId = useId();
  const [attempted, setAttempted] = useState(false);
  const read = readSearch(draft, support);
  const problem = attempted && !read.ok ? read.problem : null;
  const isVector = draft.mode === 'near_vector';
  const text = isVector ? draft.vector : draft.text;
  const change = (patch: Partial<SearchDraft>) => {
    setAttempted(false);
    onDraft({ ...draft, ...patch });
  };
  // The weight in sight is always the one searched with.
  const searchAgain = (alpha: number) => {
    if (props.searched?.mode !== 'hybrid' || props.searched.alpha === alpha) return;
    props.onSearch({ ...props.searched, alpha });
  };
  const clear = () => {
    change(isVector ? { vector: '' } : { text: '' });
    props.onClear();
    input.current?.focus();
  };
  useImperativeHandle(props.ref, () => ({
    focus: () => {
      input.current?.focus();
      input.current?.select();
    },
  }));

  return (
    <search className={styles.bar}>
      <form
        aria-label="Search"
        onSubmit={(event) => {
          event.preventDefault();
          setAttempted(true);
          if (read.ok) props.onSearch(read.search);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.defaultPrevented) return;
          event.stopPropagation();
          if (text !== '' || props.searched) clear();
          else props.onLeave();
        }}
      >
        <div className={styles.line}>
          <Select<SearchMode>
            size="small"
            className={styles.mode}
            aria-label="Kind of search"
            value={draft.mode}
            options={typedModes.map((mode) => {
              const refusal = refusalOf(support, mode);
              return {
                value: mode,
                label: modeLabels[mode],
                ...(refusal && { detail: refusal, disabled: true }),
              };
            })}
            onValueChange={(mode) => change({ mode })}
          />
          <div className={styles.box}>
            <Search size={13} aria-hidden className={styles.icon} />
            <TextInput
              ref={input}
              size="small"
              className={styles.input}
              aria-label={isVector ? 'Vector to search near' : 'Text to search for'}
              aria-invalid={problem !== null || undefined}
              aria-describedby={problem === null ? undefined : problemId}
              placeholder={placeholders[draft.mode]}
              value={text}
              onChange={(event) => {
                const { value } = event.currentTarget;
                change(isVector ? { vector: value } : { text: value });
              }}
            />
            {text !== '' && (
              <IconButton size="small" label="Clear the search" className={styles.clear} onClick={clear}>
                <X size={13} aria-hidden />
              </IconButton>
            )}
          </div>
          {needsVector(draft, support) && (
            <TextInput
              size="small"
              className={styles.vector}
              aria-label="Vector of the search"
              aria-invalid={problem !== null || undefined}
              placeholder={placeholders.near_vector}
              value={draft.vector}
              onChange={(event) => change({ vector: event.currentTarget.value })}
            />
          )}
          {draft.mode === 'hybrid' && (
            <AlphaSlider
              value={draft.alpha}
              onValueChange={(alpha) => change({ alpha })}
              onValueCommitted={(alpha) => searchAgain(alpha)}
            />
          )}
          {support.targetVectors.length > 1 && draft.mode !== 'keyword' && (
            <Select
              size="small"
              className={styles.target}
              aria-label="Vector to compare with"
              value={draft.targetVector ?? support.targetVectors[0] ?? ''}
              options={support.targetVectors.map((name) => ({ value: name, label: name }))}
              onValueChange={(targetVector) => change({ targetVector })}
            />
          )}
          <Button size="small" type="submit">
            Search
          </Button>
        </div>
        {problem !== null && (
          <p id={problemId} role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
        {props.error !== null && <ErrorNote error={props.error} className={styles.error} />}
      </form>
    </search>
  );
}

const placeholders: Record<SearchMode, string> = {
  near_text: 'Search by meaning',
  hybrid: 'Search by meaning and words',
  keyword: 'Search by words',
  near_vector: 'Paste a vector: [0.0123, -0.45, …]',
  near_object: '',
};
