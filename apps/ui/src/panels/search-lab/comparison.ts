import {
  type CountRequest,
  defaultAlpha,
  type SearchMode,
  type SearchRequest,
  type SearchSettings,
  type SearchSupport,
} from '@trestle/driver-kit';
import { readSearch, searchRefusal } from '../search-bar/index.ts';

/** One search of the comparison. */
export interface LabColumn extends SearchSettings {
  id: string;
  mode: SearchMode;
  alpha: number;
  /** As typed: a JSON array of numbers. */
  vector: string;
  objectId: string;
  targetVector: string | null;
  /** Whether the tab's filters apply to this search. */
  filtered: boolean;
}

/** The content of the Compare view: plain JSON, stored with the tab, and under a name if the user saves it. */
export interface Comparison {
  text: string;
  /** Rows for each column. */
  k: number;
  columns: LabColumn[];
  /** The id of the saved comparison that was opened or saved last. */
  savedId?: string;
}

export const rowChoices = [5, 8, 10, 20, 50];
export const maxColumns = 4;

const usual: SearchMode[] = ['keyword', 'hybrid', 'near_text', 'near_vector', 'near_object'];

/** A column for each of the first three modes of `usual` that the database can run. */
export function newComparison(support: SearchSupport): Comparison {
  const runs = usual.filter((mode) => searchRefusal(support, mode) === undefined);
  return { text: '', k: 8, columns: runs.slice(0, 3).map((mode) => newColumn(mode)) };
}

export function newColumn(mode: SearchMode): LabColumn {
  const id = crypto.randomUUID();
  return { id, mode, alpha: defaultAlpha, vector: '', objectId: '', targetVector: null, filtered: true };
}

/**
 * The mode for a new column: the first mode that the database can run and no column uses. If columns use all
 * such modes: hybrid if it can run, or else the first mode that can run.
 */
export function nextMode(columns: LabColumn[], support: SearchSupport): SearchMode {
  const runs = usual.filter((mode) => searchRefusal(support, mode) === undefined);
  const unused = runs.find((mode) => columns.every((column) => column.mode !== mode));
  return unused ?? runs.find((mode) => mode === 'hybrid') ?? runs[0] ?? 'hybrid';
}

export type ColumnRequest = { ok: true; request: SearchRequest } | { ok: false; problem: string };

/** The search of a column, or the reason why it cannot run. */
export function columnRequest(
  column: LabColumn,
  asked: { text: string; k: number; within: CountRequest; support: SearchSupport },
): ColumnRequest {
  const { within, support, k } = asked;
  const base = { ...within, ...(column.filtered ? {} : { filters: [] }), limit: k };
  const settings = settingsFor(column, support);
  if (column.mode === 'near_object') {
    const refusal = searchRefusal(support, 'near_object');
    if (refusal) return { ok: false, problem: refusal };
    const objectId = column.objectId.trim();
    if (objectId === '') return { ok: false, problem: 'Enter the key of a row' };
    const target = targetOf(column, support);
    return { ok: true, request: { ...base, mode: column.mode, objectId, ...target, ...settings } };
  }
  const { mode, alpha, vector, targetVector } = column;
  const read = readSearch({ mode, alpha, vector, targetVector, text: asked.text }, support);
  if (!read.ok) return read;
  return { ok: true, request: { ...base, ...read.search, ...settings } };
}

function targetOf({ targetVector }: LabColumn, { targetVectors }: SearchSupport) {
  const chosen = targetVectors.find((name) => name === targetVector) ?? targetVectors[0];
  return chosen === undefined ? {} : { targetVector: chosen };
}

/** The settings that the mode uses and the database offers. A saved comparison may contain other settings. */
export function settingsFor(column: LabColumn, support: SearchSupport): SearchSettings {
  const { options = {}, targetVectors } = support;
  const { mode, fusion, autocut, maxDistance, keywordColumns, allWords, targets, groupBy, rerank } = column;
  const isWorded = mode === 'keyword' || mode === 'hybrid';
  const known = keywordColumns?.filter((one) => options.keywordColumns?.includes(one.column));
  const vectors = targets?.vectors.filter(({ name }) => targetVectors.includes(name)) ?? [];
  const isGrouped = groupBy && !options.groupBy?.refusal && options.groupBy?.columns.includes(groupBy.column);
  const isReranked =
    rerank && !isGrouped && !options.rerank?.refusal && options.rerank?.columns.includes(rerank.column);
  return {
    ...(mode === 'hybrid' && options.fusions?.some(({ name }) => name === fusion) && { fusion }),
    ...(autocut !== undefined && options.autocut?.includes(mode) && { autocut }),
    ...(maxDistance !== undefined && options.maxDistance?.includes(mode) && { maxDistance }),
    ...(isWorded && known && known.length > 0 && { keywordColumns: known }),
    ...(isWorded && allWords && options.allWords && { allWords }),
    ...(mode !== 'keyword' &&
      targets &&
      vectors.length > 1 &&
      options.joins?.some(({ name }) => name === targets.join) && { targets: { ...targets, vectors } }),
    ...(isGrouped && { groupBy }),
    ...(isReranked && { rerank }),
  };
}

/** Two hybrid columns usually differ in alpha, so the name contains it. Two columns may still have the same name. */
export function columnName(column: LabColumn): string {
  return column.mode === 'hybrid' ? `${modeNames.hybrid} ${column.alpha.toFixed(2)}` : modeNames[column.mode];
}

export const modeNames: Record<SearchMode, string> = {
  keyword: 'Keyword',
  hybrid: 'Hybrid',
  near_text: 'Near text',
  near_vector: 'Near vector',
  near_object: 'Similar to a row',
};
