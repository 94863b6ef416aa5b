import {
  type Cell,
  type ColumnDescription,
  type Filter,
  type FilterOperator,
  isCutCell,
  operatorArity,
  splitList,
} from '@trestle/driver-kit';
import type { FilterEntry } from './filter-entries.ts';

/** A filter while the user writes it. Its values are text as typed. */
export interface FilterDraft {
  id: string;
  column: string;
  operator: FilterOperator;
  value: string;
  /** The second bound of `between`. */
  upper: string;
  /** Kept in the list, and not applied. */
  off: boolean;
  /** The index of the entry that this draft edits. Null if it edits none. */
  at: number | null;
}

export const operatorLabels: Record<FilterOperator, string> = {
  equals: 'equals',
  not_equals: 'not equals',
  greater_than: 'greater than',
  greater_or_equal: 'greater or equal',
  less_than: 'less than',
  less_or_equal: 'less or equal',
  contains: 'contains',
  not_contains: 'not contains',
  starts_with: 'starts with',
  ends_with: 'ends with',
  in_list: 'in list',
  not_in_list: 'not in list',
  between: 'between',
  is_null: 'is NULL',
  is_not_null: 'is not NULL',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
  regex: 'REGEX',
};

export function newDraft(column: ColumnDescription, id: string): FilterDraft {
  return {
    id,
    column: column.name,
    operator: firstOperator(column),
    value: '',
    upper: '',
    off: false,
    at: null,
  };
}

/** Moves the draft to another column. The draft keeps its operator if that column supports it. */
export function moveDraft(draft: FilterDraft, column: ColumnDescription): FilterDraft {
  const keeps = column.operators.some(({ operator, refusal }) => operator === draft.operator && !refusal);
  return { ...draft, column: column.name, operator: keeps ? draft.operator : firstOperator(column) };
}

export function draftOf({ filter, off }: FilterEntry, id: string, at: number): FilterDraft {
  const { column, operator, value } = filter;
  const values = Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
  if (operatorArity(operator) === 'list' && Array.isArray(value)) {
    return { id, column, operator, value: values.map(quoteItem).join(', '), upper: '', off, at };
  }
  return { id, column, operator, value: values[0] ?? '', upper: values[1] ?? '', off, at };
}

/**
 * Removes a draft. If it edits an entry, the caller removes that entry too, so the index of each later entry drops by
 * one.
 */
export function withoutDraft(drafts: FilterDraft[], id: string): FilterDraft[] {
  const gone = drafts.find((draft) => draft.id === id)?.at ?? null;
  return drafts
    .filter((draft) => draft.id !== id)
    .map((draft) =>
      gone !== null && draft.at !== null && draft.at > gone ? { ...draft, at: draft.at - 1 } : draft,
    );
}

/** The drafts after they were applied: readable drafts have become entries, the other drafts have no entry. */
export function appliedDrafts(drafts: FilterDraft[], reads: ReadDraft[]): FilterDraft[] {
  let next = 0;
  return drafts.map((draft, index) => ({ ...draft, at: reads[index]?.ok ? next++ : null }));
}

export type ReadDraft = { ok: true; filter: Filter } | { ok: false; problem: string };

/** The filter that a draft describes, or a problem that the window can find. The driver reports other problems. */
export function readDraft(draft: FilterDraft, column: ColumnDescription | undefined): ReadDraft {
  const { operator } = draft;
  if (!column) return problem('This table has no such column');
  const refusal = column.operators.find((entry) => entry.operator === operator)?.refusal;
  if (refusal) return problem(refusal);
  const base = { column: draft.column, operator };
  switch (operatorArity(operator)) {
    case 'none':
      return { ok: true, filter: base };
    case 'two':
      if (draft.value.trim() === '' || draft.upper.trim() === '') return problem('Enter both bounds');
      return { ok: true, filter: { ...base, value: [draft.value, draft.upper] } };
    case 'list':
      try {
        if (splitList(draft.value).length === 0) return problem('Enter values, separated by commas');
        return { ok: true, filter: { ...base, value: draft.value } };
      } catch (error) {
        return problem(error instanceof Error ? error.message : String(error));
      }
    case 'one':
      if (draft.value.trim() === '' && column.type !== 'text' && column.type !== 'any') {
        return problem('Enter a value');
      }
      return { ok: true, filter: { ...base, value: draft.value } };
  }
}

/** Whether the draft's filter is among `applied`. A number and its text are the same value. */
export function isApplied(read: ReadDraft, applied: Filter[]): boolean {
  if (!read.ok) return false;
  const text = JSON.stringify(canonical(read.filter));
  return applied.some((filter) => JSON.stringify(canonical(filter)) === text);
}

/**
 * The filter that a driver's message is about: the filter whose column the message names. If several filters have
 * that column, the message must also name the operator. Null if the filter is unclear.
 */
export function filterNamedIn(message: string, filters: Filter[]): Filter | null {
  const named = (name: string) =>
    new RegExp(`(?<![\\p{L}\\p{N}_])${escapePattern(name)}(?![\\p{L}\\p{N}_])`, 'u').test(message);
  const found = filters.filter(({ column }) => named(column));
  const [only] = found;
  if (!only || found.some(({ column }) => column !== only.column)) return null;
  if (found.length === 1) return only;
  const exact = found.filter(({ operator }) => named(operatorLabels[operator]) || named(operator));
  return exact.length === 1 ? (exact[0] ?? null) : null;
}

/** The filter that the driver refused; null if the filter is unclear. */
export function refusedFilter(error: { code: string; message: string }, filters: Filter[]): Filter | null {
  const [only, ...others] = filters;
  if (only && others.length === 0 && error.code === 'filter_unrunnable') return only;
  return filterNamedIn(error.message, filters);
}

/** Whether two lists contain the same filters in the same order. */
export function sameFilters(some: Filter[], others: Filter[]): boolean {
  return JSON.stringify(some.map(canonical)) === JSON.stringify(others.map(canonical));
}

/** The filter that finds the rows with the value of this cell, or the reason why no filter does. */
export function filterForCell(column: ColumnDescription, cell: Cell): ReadDraft {
  const runs = (operator: FilterOperator) =>
    column.operators.some((entry) => entry.operator === operator && !entry.refusal);
  if (cell === null) return build('is_null');
  if (cell === '' && runs('is_empty')) return build('is_empty');
  if (typeof cell === 'object')
    return problem('A list, an object or binary data cannot be filtered by its value');
  if (isCutCell(cell)) return problem('The value is too large to be read whole here');
  return build('equals', typeof cell === 'bigint' ? String(cell) : cell);

  function build(operator: FilterOperator, value?: Filter['value']): ReadDraft {
    const entry = column.operators.find((known) => known.operator === operator);
    if (!entry) return problem(`${column.name} does not take the operator “${operatorLabels[operator]}”`);
    if (entry.refusal) return problem(entry.refusal);
    return { ok: true, filter: { column: column.name, operator, ...(value !== undefined && { value }) } };
  }
}

function canonical({ column, operator, value: given }: Filter) {
  const value = operatorArity(operator) === 'list' && typeof given === 'string' ? listOf(given) : given;
  const text = Array.isArray(value) ? value.map(String) : value === undefined ? null : String(value);
  return [column, operator, text];
}

function listOf(text: string): string[] | string {
  try {
    return splitList(text);
  } catch {
    return text;
  }
}

/**
 * `contains` for text, since users usually search for a part of a text. Otherwise the first operator that runs, or
 * `equals` if none runs.
 */
function firstOperator({ type, operators }: ColumnDescription): FilterOperator {
  const running = operators.filter(({ refusal }) => !refusal).map(({ operator }) => operator);
  if (type === 'text' && running.includes('contains')) return 'contains';
  return running[0] ?? 'equals';
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

export function quoteItem(text: string): string {
  return /[",]|^\s|\s$|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function problem(text: string): ReadDraft {
  return { ok: false, problem: text };
}
