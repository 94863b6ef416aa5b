import { defaultAlpha, type Json, parseCell, type SearchMode, type SearchSupport } from '@trestle/driver-kit';
import { counted } from '../../controls/text/counted.ts';

/** A search that can run: its mode, and the values that the mode needs. */
export interface TableSearch {
  mode: SearchMode;
  text?: string;
  vector?: number[];
  objectId?: string;
  alpha?: number;
  targetVector?: string;
}

/**
 * A search while the user writes it. Text and vector are kept apart, so that switching the mode loses
 * neither.
 */
export interface SearchDraft {
  mode: SearchMode;
  text: string;
  vector: string;
  alpha: number;
  /** Null: the first named vector, if the table has one. */
  targetVector: string | null;
}

/** Modes that the search bar offers. The user starts a search near a row from that row. */
export const typedModes = ['near_text', 'hybrid', 'keyword', 'near_vector'] as const satisfies SearchMode[];

export const modeLabels: Record<SearchMode, string> = {
  near_text: 'Near text',
  hybrid: 'Hybrid',
  keyword: 'Keyword',
  near_vector: 'Near vector',
  near_object: 'Similar',
};

export function refusalOf(support: SearchSupport, mode: SearchMode): string | undefined {
  const known = support.modes.find((entry) => entry.mode === mode);
  return known ? known.refusal : 'This driver does not have this kind of search';
}

/**
 * A new draft starts in the first of these modes that is not refused. `hybrid` comes after `keyword`, because a
 * hybrid search may need a vector from the user and a keyword search does not.
 */
const preferred = ['near_text', 'keyword', 'near_vector', 'hybrid'] as const satisfies SearchMode[];

/** An empty draft in the first available mode of `preferred`, or in `near_text` if all of them are refused. */
export function newSearchDraft(support: SearchSupport): SearchDraft {
  const mode = preferred.find((candidate) => refusalOf(support, candidate) === undefined);
  return { mode: mode ?? 'near_text', text: '', vector: '', alpha: defaultAlpha, targetVector: null };
}

/** Whether the user must enter the vector of a hybrid search, because no module makes the vector from the text. */
export function needsVector(draft: SearchDraft, support: SearchSupport): boolean {
  return draft.mode === 'hybrid' && isBrought(draft, support);
}

function isBrought(draft: SearchDraft, support: SearchSupport): boolean {
  const { targetVector = '' } = targetOf(draft, support);
  return support.broughtVectors?.includes(targetVector) === true;
}

export type ReadSearch = { ok: true; search: TableSearch } | { ok: false; problem: string };

export function readSearch(draft: SearchDraft, support: SearchSupport): ReadSearch {
  const { mode } = draft;
  const refusal = refusalOf(support, mode);
  if (refusal) return { ok: false, problem: refusal };
  const target = mode === 'keyword' ? {} : targetOf(draft, support);
  const text = draft.text.trim();
  if (mode !== 'near_vector' && text === '') return { ok: false, problem: 'Enter a text to search for' };
  if (mode === 'near_text' && isBrought(draft, support)) {
    return {
      ok: false,
      problem: 'No module turns text into this vector: choose another vector or kind of search',
    };
  }
  const hybrid = mode === 'hybrid' && { alpha: draft.alpha };
  const words = mode !== 'near_vector' && { text };
  if (mode !== 'near_vector' && !needsVector(draft, support)) {
    return { ok: true, search: { mode, ...words, ...target, ...hybrid } };
  }
  const read = parseCell(draft.vector.trim(), 'vector');
  const vector = read.ok ? (read.cell as Json[]) : [null];
  // A search takes one vector, not a list of them.
  if (!vector.every((one) => typeof one === 'number'))
    return { ok: false, problem: 'Expected a JSON array of numbers such as [0.1, -2, 3]' };
  if (vector.length === 0) return { ok: false, problem: 'The vector is empty' };
  return { ok: true, search: { mode, ...words, vector, ...target, ...hybrid } };
}

/** The search for rows near one row. */
export function searchNear(objectId: string, draft: SearchDraft, support: SearchSupport): TableSearch {
  return { mode: 'near_object', objectId, ...targetOf(draft, support) };
}

/** The subject of the results, in words. */
export function searchTitle(search: TableSearch): string {
  switch (search.mode) {
    case 'near_object':
      return `Similar to ${search.objectId}`;
    case 'near_vector':
      return `Search results for a vector of ${counted(search.vector?.length ?? 0, 'dimension')}`;
    default:
      return `Search results for “${search.text}”`;
  }
}

/** How the results were found and sorted. */
export function searchDetail({ mode, alpha, targetVector }: TableSearch): string {
  const order = mode === 'keyword' || mode === 'hybrid' ? 'best score first' : 'nearest first';
  const weight = alpha === undefined ? [] : [`alpha ${alpha.toFixed(2)}`];
  const target = targetVector === undefined ? [] : [`by ${targetVector}`];
  const kind = mode === 'near_object' ? [] : [modeLabels[mode].toLowerCase()];
  return [...kind, ...weight, ...target, order].join(' · ');
}

/**
 * The chosen named vector, or else the first one. Even a single named vector is named, because the table may also
 * have a vector without a name.
 */
export function targetOf(draft: SearchDraft, { targetVectors }: SearchSupport): { targetVector?: string } {
  const chosen = targetVectors.find((name) => name === draft.targetVector) ?? targetVectors[0];
  return chosen === undefined ? {} : { targetVector: chosen };
}
