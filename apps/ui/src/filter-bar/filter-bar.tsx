import type { ColumnDescription, Filter, Match } from '@trestle/driver-kit';
import { Plus } from 'lucide-react';
import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { toApiError } from '../shared/api.ts';
import { Button } from '../shared/button.tsx';
import { ErrorNote } from '../shared/error-note.tsx';
import { Select } from '../shared/select.tsx';
import styles from './filter-bar.module.css';
import {
  draftOf,
  type FilterDraft,
  isApplied,
  newDraft,
  readDraft,
  refusedFilter,
  sameFilters,
} from './filter-draft.ts';
import { FilterRow } from './filter-row.tsx';

export interface FilterBarProps {
  columns: ColumnDescription[];
  /** What was asked for last; the bar begins from it, and again whenever it changes from outside. */
  filters: Filter[];
  match: Match;
  /** What the rows shown were filtered by. */
  applied: { filters: Filter[]; match: Match };
  /** The column a new filter begins with: the one the user is at. */
  suggested?(): string | undefined;
  /** Why the driver did not run the filters. */
  error?: unknown;
  onApply(filters: Filter[], match: Match): void;
  onClose(): void;
  ref?: RefObject<FilterBarHandle | null>;
}

export interface FilterBarHandle {
  focus(): void;
}

export function FilterBar(props: FilterBarProps) {
  const { columns, filters, applied } = props;
  const nextId = useRef(0);
  const makeId = () => String(nextId.current++);
  const fresh = (): FilterDraft[] => {
    const name = props.suggested?.();
    const column = columns.find((candidate) => candidate.name === name) ?? columns[0];
    return column ? [newDraft(column, makeId())] : [];
  };
  const begin = () => (filters.length > 0 ? filters.map((filter) => draftOf(filter, makeId())) : fresh());
  const [drafts, setDrafts] = useState<FilterDraft[]>(begin);
  const [match, setMatch] = useState(props.match);
  const [attempted, setAttempted] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const reads = drafts.map((draft) =>
    readDraft(
      draft,
      columns.find(({ name }) => name === draft.column),
    ),
  );

  const lastAsked = useRef({ filters, match: props.match });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change from outside starts the bar anew
  useEffect(() => {
    const asked = lastAsked.current;
    if (asked.filters === filters && asked.match === props.match) return;
    lastAsked.current = { filters, match: props.match };
    setDrafts(begin());
    setMatch(props.match);
    setAttempted(false);
  }, [filters, props.match]);

  const focus = () => {
    const fields = form.current?.querySelectorAll<HTMLElement>('[data-filter-value]');
    const target = fields?.[fields.length - 1] ?? form.current?.querySelector<HTMLElement>('input, button');
    target?.focus();
    if (target instanceof HTMLInputElement) target.select();
  };
  useImperativeHandle(props.ref, () => ({ focus }));

  const ask = (next: Filter[], how: Match) => {
    lastAsked.current = { filters: next, match: how };
    props.onApply(next, how);
  };
  const apply = () => {
    setAttempted(true);
    if (reads.some((read) => !read.ok)) return;
    ask(
      reads.flatMap((read) => (read.ok ? read.filter : [])),
      match,
    );
  };
  const clear = () => {
    setDrafts(fresh());
    setAttempted(false);
    ask([], match);
  };
  const remove = (id: string) => {
    const index = drafts.findIndex((draft) => draft.id === id);
    const read = reads[index];
    const rest = drafts.filter((draft) => draft.id !== id);
    setDrafts(rest);
    // Removing what is in force must take effect: a filter that cannot be seen must not filter.
    if (read?.ok && isApplied(read, applied.filters)) {
      const text = JSON.stringify(read.filter);
      ask(
        filters.filter((filter) => JSON.stringify(filter) !== text),
        match,
      );
    }
    requestAnimationFrame(focus);
  };
  // The driver's word stands at the filter it is about, and goes when that filter is changed.
  const refused = props.error ? toApiError(props.error) : null;
  const isAsked = sameFilters(reads, filters) && (filters.length < 2 || match === props.match);
  const culprit = refused && refusedFilter(refused, filters);
  const refusedAt = culprit ? reads.findIndex((read) => isApplied(read, [culprit])) : -1;
  const problemAt = (index: number): string | null => {
    const read = reads[index];
    if (attempted && read && !read.ok) return read.problem;
    if (index !== refusedAt || !refused) return null;
    return refused.hint ? `${refused.message}. ${refused.hint}` : refused.message;
  };
  const matchApplied = applied.filters.length < 2 || applied.match === match;

  return (
    <search className={styles.bar}>
      <form
        ref={form}
        aria-label="Filters"
        className={styles.filters}
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.defaultPrevented) return;
          event.stopPropagation();
          props.onClose();
        }}
      >
        <ul className={styles.rows}>
          {drafts.map((draft, index) => {
            const read = reads[index];
            return (
              <FilterRow
                key={draft.id}
                draft={draft}
                number={index + 1}
                columns={columns}
                applied={read !== undefined && matchApplied && isApplied(read, applied.filters)}
                problem={problemAt(index)}
                onChange={(next) => setDrafts(drafts.map((other) => (other.id === draft.id ? next : other)))}
                onRemove={() => remove(draft.id)}
              />
            );
          })}
        </ul>
        <div className={styles.actions}>
          <Button
            size="small"
            variant="quiet"
            icon={<Plus size={13} aria-hidden />}
            disabled={columns.length === 0}
            onClick={() => {
              setDrafts([...drafts, ...fresh()]);
              // The new one is empty because it is new: nothing is wrong with it yet.
              setAttempted(false);
              requestAnimationFrame(focus);
            }}
          >
            Add filter
          </Button>
          {drafts.length > 1 && (
            <Select<Match>
              size="small"
              className={styles.match}
              aria-label="How filters combine"
              value={match}
              options={[
                { value: 'all', label: 'Match all' },
                { value: 'any', label: 'Match any' },
              ]}
              onValueChange={setMatch}
            />
          )}
          <span className={styles.gap} />
          <Button size="small" onClick={clear} disabled={filters.length === 0 && drafts.length === 0}>
            Clear
          </Button>
          <Button size="small" variant="primary" type="submit" disabled={drafts.length === 0}>
            Apply
          </Button>
        </div>
        {refused && !culprit && isAsked && <ErrorNote error={refused} className={styles.error} />}
      </form>
    </search>
  );
}
