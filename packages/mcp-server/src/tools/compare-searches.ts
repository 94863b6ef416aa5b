import { type Core, type DataAccess, type OwnText, own } from '@trestle/core';
import {
  type Cell,
  type ColumnHead,
  cellAt,
  cellToJson,
  defaultAlpha,
  type RowSet,
  rowSetFromCells,
  type SearchMode,
  type SearchRequest,
  type SearchSupport,
} from '@trestle/driver-kit';
import { rowNumbers } from '../answer/rows-text.ts';

/**
 * Runs the searches that can use the text or the vector. Returns each row that a search found, with its rank in each
 * search that found it. Rows that rank high in many searches come first.
 */
export async function compareSearches(
  core: Core,
  access: DataAccess,
  request: Omit<SearchRequest, 'mode'>,
): Promise<{ rows: RowSet; note: OwnText; remarks: string[] }> {
  const described = await core.data.describe(access, request.table);
  const title = described.columns.find(({ type, inKey }) => type === 'text' && !inKey);
  // With all their columns, the rows of several searches might not fit into an answer.
  const columns = request.columns ?? (title ? [title.name] : []);
  const modes = modesOf(request);
  const fit = modes.filter((mode) => runs(mode, request, described.searches));
  // If the table supports none of the searches, all are tried, so that the driver's error says why.
  const tried = fit.length > 0 ? fit : modes;
  const pages = await Promise.all(
    tried.map((mode) => core.data.search(access, { ...request, mode, columns })),
  );
  const found = new Map<string, { ranks: Cell[]; cells: Cell[]; weight: number }>();
  pages.forEach(({ rows }, list) => {
    for (const row of rowNumbers(rows)) {
      const cells = rows.columns.flatMap((head, index) => (isShown(head) ? [cellAt(rows, index, row)] : []));
      const key = JSON.stringify(cells.map(cellToJson));
      const one = found.get(key) ?? { ranks: pages.map(() => '-'), cells, weight: 0 };
      one.ranks[list] = row + 1;
      one.weight += 1 / (row + 1);
      found.set(key, one);
    }
  });
  const all = [...found.values()].sort((a, b) => b.weight - a.weight);
  const everywhere = all.filter(({ ranks }) => !ranks.includes('-')).length;
  const heads = tried.map((name): ColumnHead => ({ name, type: 'text', nativeType: 'rank' }));
  const note = own`The numbers are ranks; ${everywhere} of ${all.length} rows are in every list.${tried.includes('hybrid') ? own` hybrid has alpha ${request.alpha ?? defaultAlpha}.` : own``}`;
  const notes = new Set(pages.flatMap(({ note }) => note ?? []));
  return {
    rows: rowSetFromCells(
      [...heads, ...(pages[0]?.rows.columns.filter(isShown) ?? [])],
      all.map(({ ranks, cells }) => [...ranks, ...cells]),
    ),
    note,
    remarks: [...notes],
  };
}

/** Without a text, only the search by the vector can run. Without text and vector, the driver refuses the searches. */
function modesOf({ text, vector }: Omit<SearchRequest, 'mode'>): SearchMode[] {
  if (!vector) return ['keyword', 'near_text', 'hybrid'];
  return text === undefined ? ['near_vector'] : ['keyword', 'near_text', 'near_vector', 'hybrid'];
}

/** Whether the table supports the search. `near_text` does not run on a target vector that no module makes. */
function runs(
  mode: SearchMode,
  { targetVector }: Omit<SearchRequest, 'mode'>,
  support: SearchSupport | undefined,
): boolean {
  if (support?.modes.some((one) => one.mode === mode && one.refusal)) return false;
  // Without a target, the driver chooses the vector or refuses the search.
  const isBrought = targetVector !== undefined && support?.broughtVectors?.includes(targetVector);
  return mode !== 'near_text' || !isBrought;
}

/** Leaves out scores and distances: those of different searches cannot be compared. */
function isShown({ isMeasure }: ColumnHead): boolean {
  return isMeasure !== true;
}
