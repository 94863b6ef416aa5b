import type { ColumnDescription, Filter, Match } from '@trestle/driver-kit';
import { useEffect, useRef, useState } from 'react';
import { titleColumn } from '../../data/rows/row-title.ts';
import {
  appliedDrafts,
  draftOf,
  type FilterDraft,
  moveDraft,
  newDraft,
  type ReadDraft,
  readDraft,
  withoutDraft,
} from './filter-draft.ts';
import type { FilterEntry } from './filter-entries.ts';

export interface AskedFilters {
  entries: FilterEntry[];
  match: Match;
}

/**
 * The filters while the user writes them. These drafts survive when the builder closes, because the user may close it
 * to look at the rows. The drafts reload when the tab's filters change outside the builder.
 */
export function useFilterDrafts(options: {
  columns: ColumnDescription[];
  asked: AskedFilters;
  /** The column for a new filter: the column with the cursor. */
  suggested?(): string | undefined;
}) {
  const { columns, asked } = options;
  const nextId = useRef(0);
  const makeId = () => String(nextId.current++);
  const fresh = (): FilterDraft[] => {
    const column = firstColumn(columns, options.suggested?.());
    return column ? [newDraft(column, makeId())] : [];
  };
  const draftsOf = (entries: FilterEntry[]) => entries.map((entry, at) => draftOf(entry, makeId(), at));
  const [drafts, setDrafts] = useState<FilterDraft[]>(() => draftsOf(asked.entries));
  const [match, setMatch] = useState(asked.match);
  /** Problems are shown after an attempt to apply the filters or to save them as a preset. */
  const [attempted, setAttempted] = useState(false);
  const text = JSON.stringify([asked.entries, asked.match]);
  const last = useRef(text);
  const load = (entries: FilterEntry[], how: Match) => {
    last.current = JSON.stringify([entries, how]);
    setDrafts(draftsOf(entries));
    setMatch(how);
    setAttempted(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change from outside reloads the drafts
  useEffect(() => {
    if (last.current !== text) load(asked.entries, asked.match);
  }, [text]);
  const reads = drafts.map((draft): ReadDraft => {
    return readDraft(
      draft,
      columns.find(({ name }) => name === draft.column),
    );
  });

  return {
    drafts,
    reads,
    match,
    attempted,
    setMatch,
    /** Replaces the drafts with the given filters, even if these filters are already applied. */
    load,
    change: (next: FilterDraft) =>
      setDrafts((before) => before.map((draft) => (draft.id === next.id ? next : draft))),
    remove: (id: string) => setDrafts((before) => withoutDraft(before, id)),
    /** Adds a filter. Its missing value is not shown as a problem before the next attempt to apply or save filters. */
    add() {
      setDrafts((before) => [...before, ...fresh()]);
      setAttempted(false);
    },
    /** An empty builder starts with one filter to fill in. */
    ensureOne: () => setDrafts((before) => (before.length > 0 ? before : fresh())),
    /** The last draft is about this column: an empty draft moves to it, else a draft is added. */
    addFor(name: string) {
      const column = columns.find((candidate) => candidate.name === name);
      if (!column) return;
      setAttempted(false);
      setDrafts((before) => {
        const last = before.at(-1);
        const isEmpty = last && last.at === null && last.value === '' && last.upper === '';
        if (isEmpty) return [...before.slice(0, -1), moveDraft(last, column)];
        return [...before, newDraft(column, makeId())];
      });
    },
    clear() {
      setDrafts(fresh());
      setAttempted(false);
    },
    /**
     * The filters that the drafts describe. Null if an active draft cannot be read. Each such draft then shows its
     * problem.
     */
    read(): FilterEntry[] | null {
      setAttempted(true);
      // A filter that is off may lack a value. It is then left out.
      if (reads.some((read, index) => !read.ok && !drafts[index]?.off)) return null;
      return reads.flatMap((read, index) =>
        read.ok ? [{ filter: read.filter, off: drafts[index]?.off ?? false }] : [],
      );
    },
    applied: () => setDrafts((before) => appliedDrafts(before, reads)),
    /** The builder applies these filters. The change of `asked` that follows must not reload the drafts. */
    asking: (entries: FilterEntry[], how: Match) => {
      last.current = JSON.stringify([entries, how]);
    },
  };
}

export type FilterDrafts = ReturnType<typeof useFilterDrafts>;

/** The active filters. */
export function inForce(entries: FilterEntry[]): Filter[] {
  return entries.flatMap(({ filter, off }) => (off ? [] : [filter]));
}

/** The column with the cursor. Few filters ask for a uuid, so the title of the rows stands in for it. */
export function firstColumn(
  columns: ColumnDescription[],
  cursor: string | undefined,
): ColumnDescription | undefined {
  const named = columns.find(({ name }) => name === cursor);
  if (named && !(named.inKey && named.type === 'uuid')) return named;
  const key = columns.filter(({ inKey }) => inKey).map(({ name }) => name);
  return titleColumn(columns, key) ?? named ?? columns[0];
}
