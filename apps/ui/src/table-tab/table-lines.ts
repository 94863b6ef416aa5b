import type { Cell, ColumnHead, RowKey, TableDescription } from '@trestle/driver-kit';
import type { GridColumn, GridLine } from '../grid/index.ts';
import { rowId } from './row-id.ts';
import { isFlashing, type SavedRows } from './saved-rows.ts';
import type { Failure, StagedRows } from './staged-edits.ts';
import type { TableState } from './table-store.ts';

/** A line of the grid with the row it stands for. */
export interface TableLine extends GridLine {
  id: string | null;
  key: RowKey | null;
}

/** The rows of a page as they are in the database. */
export function pageLines(keys: (RowKey | null)[], refusal: string | undefined): TableLine[] {
  return keys.map((key, at) => {
    const readOnly = refusal ?? (key ? undefined : 'This row has no key, so it cannot be changed');
    return { at, key, id: key && rowId(key), ...(readOnly && { readOnly }) };
  });
}

/** The staged edits, and the rows that a save has stored since the page was read. */
export interface LineEdits {
  staged: StagedRows;
  failures: Record<string, Failure>;
  /** New rows that may have been stored. */
  unknown: string[];
  saved: SavedRows;
  /** When the page was asked for: what was saved later is not in it. */
  askedAt: number;
}

/** New rows first, then the page with what is staged; a row without edits stays the same object. */
export function stagedLines(page: TableLine[], edits: LineEdits): TableLine[] {
  const { staged, failures, saved, askedAt } = edits;
  const unknown = new Set(edits.unknown);
  const here = new Set(page.map(({ id }) => id));
  const inserted = Array.from(staged.inserted, ([id, edited]): TableLine => {
    const { message } = failures[id] ?? {};
    const doubt = {
      doubt: true,
      message: message ? `May have been stored. ${message}` : 'May have been stored',
    };
    const note = unknown.has(id) ? doubt : { ...messageOf(failures[id]), ...invalidOf(staged, id) };
    return { id, key: null, state: 'inserted', edited, ...note };
  });
  // Rows that were saved stand where they stood as new ones, until a page is read that has them.
  const stored = Array.from(saved).flatMap(([id, { kind, key, row, at }]): TableLine[] =>
    kind === 'insert' && at >= askedAt && !here.has(id) ? [{ id, key, formerId: row }] : [],
  );
  return [...stored, ...inserted, ...page].map((line): TableLine => {
    if (line.id === null || line.state === 'inserted') return line;
    const before = saved.get(line.id);
    const edited: Record<string, Cell> | undefined = staged.updated.get(line.id)?.values;
    const deleted = staged.deleted.has(line.id);
    const flash = before !== undefined && isFlashing(before);
    const isUnread = before !== undefined && before.at >= askedAt;
    const isNew = before?.kind === 'insert' && { formerId: before.row };
    if (!edited && !deleted && !flash && !isUnread && !isNew) return line;
    const isGone = isUnread && before.kind === 'delete';
    return {
      ...line,
      ...(isUnread && { saved: isNew ? { ...before.values, ...before.key } : before.values }),
      ...(flash && { flash }),
      ...isNew,
      ...(isGone && { readOnly: 'This row was deleted' }),
      ...(edited && { edited }),
      ...((deleted || isGone) && { state: 'deleted' as const }),
      ...(edited || deleted ? messageOf(failures[line.id]) : {}),
      ...(edited && !deleted && invalidOf(staged, line.id)),
    };
  });
}

/** Staged rows the page does not show: they are saved all the same, and must be counted in sight. */
export function elsewhere(page: TableLine[], staged: StagedRows): number {
  const here = new Set(page.map(({ id }) => id));
  const ids = new Set([...staged.updated.keys(), ...staged.deleted.keys()]);
  return [...ids].filter((id) => !here.has(id)).length;
}

/**
 * A single key at the front stays in view while the other columns scroll. What a search adds of its own
 * (distance, score) stands where the page has it.
 */
export function gridColumns(
  description: TableDescription,
  { sort, widths }: Pick<TableState, 'sort' | 'widths'>,
  found?: ColumnHead[],
): GridColumn[] {
  const visible = description.columns.filter(({ hidden }) => !hidden);
  const pinned = description.key.length === 1 ? visible[0] : undefined;
  const columns = visible.map((column): GridColumn => {
    const { name, type, nativeType, nullable, inKey, insertable, readOnly, unsortable, comment } = column;
    const sortedAt = sort.findIndex((entry) => entry.column === name);
    return {
      name,
      type,
      nativeType,
      nullable,
      inKey,
      insertable,
      defaultText: column.defaultText,
      readOnly,
      unsortable: found ? searchOrder : unsortable,
      comment,
      width: widths[name],
      pinned: column === pinned && inKey,
      sort: sort[sortedAt]?.order,
      sortPlace: sort.length > 1 && sortedAt >= 0 ? sortedAt + 1 : undefined,
    };
  });
  const known = new Set(description.columns.map(({ name }) => name));
  found?.forEach(({ name, type, nativeType, isMeasure }, at) => {
    if (known.has(name)) return;
    const readOnly = 'Comes from the search';
    const word = nativeType === name ? {} : { nativeType };
    const width = widths[name];
    columns.splice(at, 0, { name, type, ...word, readOnly, isMeasure, unsortable: searchOrder, width });
  });
  return columns;
}

const searchOrder = 'Search results have an order of their own';

/** The first reason stands below the row; each cell has its own. */
function invalidOf({ invalid }: StagedRows, row: string): Pick<GridLine, 'invalid' | 'message'> {
  const problems = invalid.get(row);
  if (!problems) return {};
  const [[column, problem] = ['', '']] = Object.entries(problems);
  const more = Object.keys(problems).length - 1;
  const others = more > 0 ? ` · and ${more} more` : '';
  const said = problem.includes(column) ? problem : `${column}: ${problem}`;
  return { invalid: problems, message: `Does not fit. ${said}${others}` };
}

function messageOf(failure: Failure | undefined): { message?: string } {
  if (!failure) return {};
  return { message: failure.hint ? `${failure.message} · ${failure.hint}` : failure.message };
}
