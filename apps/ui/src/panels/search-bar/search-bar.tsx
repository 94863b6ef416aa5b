import type { SearchMode, SearchSupport } from '@trestle/driver-kit';
import { Search, X } from 'lucide-react';
import { type RefObject, useId, useImperativeHandle, useRef, useState } from 'react';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { TextInput } from '../../controls/fields/text-field.tsx';
import { isHandled } from '../../controls/keys/is-handled.ts';
import { sentences } from '../../controls/text/sentences.ts';
import { toApiError } from '../../data/api/api.ts';
import { BarCallout } from '../../data/messages/bar-callout.tsx';
import { AlphaSlider } from './alpha-slider.tsx';
import styles from './search-bar.module.css';
import {
  modeLabels,
  needsVector,
  readSearch,
  refusalOf,
  type SearchDraft,
  searchTitle,
  type TableSearch,
  targetOf,
  typedModes,
} from './search-draft.ts';

export interface SearchBarHandle {
  focus(): void;
}

/** One line: the mode, the text, and the controls of the mode. Enter runs the search, Escape clears it. */
export function SearchBar(props: {
  support: SearchSupport;
  draft: SearchDraft;
  /** The last search; null if the table itself is shown. */
  searched: TableSearch | null;
  error: unknown;
  onDraft(draft: SearchDraft): void;
  onSearch(search: TableSearch): void;
  onClear(): void;
  /** Escape was pressed and there is nothing to clear. */
  onLeave(): void;
  ref?: RefObject<SearchBarHandle | null>;
}) {
  const { support, draft, onDraft } = props;
  const input = useRef<HTMLInputElement>(null);
  const root = useRef<HTMLElement>(null);
  const problemId = useId();
  const [attempted, setAttempted] = useState(false);
  const read = readSearch(draft, support);
  const problem = attempted && !read.ok ? read.problem : null;
  const isVector = draft.mode === 'near_vector';
  const text = isVector ? draft.vector : draft.text;
  // A search near a row has no text. Its title replaces the text field.
  const similar = props.searched?.mode === 'near_object' ? props.searched : null;
  const refused = props.error ? toApiError(props.error) : null;
  const change = (patch: Partial<SearchDraft>) => {
    setAttempted(false);
    onDraft({ ...draft, ...patch });
  };
  // When the user has moved the alpha slider, a shown hybrid search runs again with the new alpha.
  const searchAgain = (alpha: number) => {
    if (props.searched?.mode !== 'hybrid' || props.searched.alpha === alpha) return;
    props.onSearch({ ...props.searched, alpha });
  };
  const clear = () => {
    change(isVector ? { vector: '' } : { text: '' });
    props.onClear();
    // If the title of a search near a row replaced the field, the field is back in the next frame.
    requestAnimationFrame(() => input.current?.focus());
  };
  useImperativeHandle(props.ref, () => ({
    focus: () => {
      if (similar) return root.current?.querySelector<HTMLElement>('button[type=button]')?.focus();
      input.current?.focus();
      input.current?.select();
    },
  }));

  return (
    <search ref={root} className={styles.bar}>
      <form
        aria-label="Search"
        className={styles.line}
        onSubmit={(event) => {
          event.preventDefault();
          setAttempted(true);
          if (read.ok) props.onSearch(read.search);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || isHandled(event)) return;
          event.stopPropagation();
          if (text !== '' || props.searched) clear();
          else props.onLeave();
        }}
      >
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
        {similar ? (
          <span className={styles.similar} title={searchTitle(similar)}>
            {searchTitle(similar)}
          </span>
        ) : (
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
        )}
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
        {draft.mode === 'hybrid' && !similar && (
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
            value={targetOf(draft, support).targetVector ?? ''}
            options={support.targetVectors.map((name) => ({ value: name, label: name }))}
            onValueChange={(targetVector) => change({ targetVector })}
          />
        )}
        {(text !== '' || similar) && (
          <IconButton size="small" label="Clear the search" onClick={clear}>
            <X size={13} aria-hidden />
          </IconButton>
        )}
        <IconButton size="small" type="submit" label="Search" className={styles.run}>
          <Search size={13} aria-hidden />
        </IconButton>
      </form>
      {problem !== null && (
        <BarCallout id={problemId} at={() => root.current}>
          {problem}
        </BarCallout>
      )}
      {problem === null && refused && (
        <BarCallout at={() => root.current} error={refused}>
          {refused.hint ? sentences(refused.message, refused.hint) : refused.message}
        </BarCallout>
      )}
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
