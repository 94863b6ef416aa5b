import type { Failure, StagedRows } from '@trestle/core/staged-edits';
import { rowId } from '@trestle/core/staged-edits';
import {
  type Cell,
  type ColumnHead,
  ownValue,
  type RowKey,
  type Sort,
  type TableDescription,
} from '@trestle/driver-kit';
import { titleColumn } from '../data/rows/row-title.ts';
import { type GridColumn, type GridLine, nullRefusal } from '../panels/grid/index.ts';
import { arranged, type ColumnLayout } from './column-layout.ts';
import { isFlashing, type SavedRows } from './saved-rows.ts';

/** A line of the grid with the row it stands for. */
export interface TableLine extends GridLine {
  id: string | null;
  key: RowKey | null;
}

/** The rows of a page as they are in the database. */
export function pageLines(keys: (RowKey | null)[], refusal: string | undefined): TableLine[] {
  return keys.map((key, at) => {
    const readOnly = refusal ?? (key ? undefined : noKey);
    return { at, key, id: key && rowId(key), ...(readOnly && { readOnly }) };
  });
}

const noKey = 'This row has no key, so it cannot be changed';

/** The staged edits and the saved rows. */
export interface LineEdits {
  staged: StagedRows;
  failures: Record<string, Failure>;
  /** New rows that may have been stored. */
  unknown: string[];
  saved: SavedRows;
  /** When the page was requested. The page may lack the values of later saves. Undefined if there is no page. */
  askedAt: number | undefined;
}

/** New rows first, then the page with the staged edits. A row that was not changed or saved stays the same object. */
export function stagedLines(page: TableLine[], edits: LineEdits): TableLine[] {
  const { staged, failures, saved, askedAt = Number.POSITIVE_INFINITY } = edits;
  const unknown = new Set(edits.unknown);
  const here = new Set(page.map(({ id }) => id));
  const inserted = Array.from(staged.inserted, ([id, edited]): TableLine => {
    const { message } = failures[id] ?? {};
    const doubt = {
      doubt: true,
      message: message ? `May have been stored. ${message}` : 'May have been stored',
    };
    const note = { ...messageOf(failures[id]), ...invalidOf(staged, id), ...(unknown.has(id) && doubt) };
    return { id, key: null, state: 'inserted', edited, ...note };
  });
  // A saved new row stays above the page until the page has the row, or was requested after the save.
  const stored = Array.from(saved).flatMap(([id, { kind, key, row, at }]): TableLine[] =>
    kind === 'insert' && at >= askedAt && !here.has(id)
      ? [{ id, key, formerId: row, ...(key === null && { readOnly: noKey }) }]
      : [],
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
      ...(deleted && { state: 'deleted' as const }),
      ...(isGone && { state: 'gone' as const }),
      ...(edited || deleted ? messageOf(failures[line.id]) : {}),
      ...(edited && !deleted && invalidOf(staged, line.id)),
    };
  });
}

/** How many staged rows the page does not show. A save sends them too, so the user must see their number. */
export function elsewhere(page: TableLine[], staged: StagedRows): number {
  const here = new Set(page.map(({ id }) => id));
  const ids = new Set([...staged.updated.keys(), ...staged.deleted.keys()]);
  return [...ids].filter((id) => !here.has(id)).length;
}

/**
 * The columns in the user's arrangement. By default, the first column stays visible while the others scroll, if it is
 * the whole key. The user cannot move the columns that a search adds (distance, score).
 */
export function gridColumns(
  description: TableDescription,
  { sort, layout }: { sort: Sort[]; layout: ColumnLayout },
  found?: ColumnHead[],
): GridColumn[] {
  const described = new Map(
    description.columns.filter(({ hidden }) => !hidden).map((column) => [column.name, column]),
  );
  const pinned = new Set(layout.pinned ?? pinnedByDefault(description));
  const hidden = new Set(layout.hidden);
  const { widths } = layout;
  const names = arranged([...described.keys()], layout.order);
  const columns = names.flatMap((each): GridColumn[] => {
    const column = described.get(each);
    if (!column || hidden.has(each)) return [];
    const { name, type, nativeType, nullable, inKey, insertable, readOnly, unsortable, comment } = column;
    const sortedAt = sort.findIndex((entry) => entry.column === name);
    const placed: GridColumn = {
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
      width: ownValue(widths, name),
      pinned: pinned.has(name),
      sort: sort[sortedAt]?.order,
      sortPlace: sort.length > 1 && sortedAt >= 0 ? sortedAt + 1 : undefined,
    };
    return [placed];
  });
  const known = new Set(description.columns.map(({ name }) => name));
  found?.forEach(({ name, type, nativeType, isMeasure }, at) => {
    if (known.has(name)) return;
    const readOnly = 'Comes from the search';
    const word = nativeType === name ? {} : { nativeType };
    const width = ownValue(widths, name);
    columns.splice(at, 0, {
      ...{ name, type, ...word, readOnly, isMeasure, unsortable: searchOrder, width },
      isFixed: true,
    });
  });
  return columns;
}

/** The first visible column, if it is the whole key. A uuid does not say which row it is, so the title joins it. */
export function pinnedByDefault({ columns, key }: Pick<TableDescription, 'columns' | 'key'>): string[] {
  const visible = columns.filter(({ hidden }) => !hidden);
  const [first] = visible;
  if (key.length !== 1 || !first?.inKey) return [];
  const title = first.type === 'uuid' ? titleColumn(visible, key) : undefined;
  return title ? [first.name, title.name] : [first.name];
}

const searchOrder = 'Search results are in the order of the search';

/** `message` is the first problem, shown below the row. `invalid` has the problem of each cell. */
function invalidOf({ invalid }: StagedRows, row: string): Pick<GridLine, 'invalid' | 'message'> {
  const problems = invalid.get(row);
  if (!problems) return {};
  const [[column, problem] = ['', '']] = Object.entries(problems);
  const more = Object.keys(problems).length - 1;
  const others = more > 0 ? ` · and ${more} more` : '';
  // The message about a NULL already names the column.
  const said = problem === nullRefusal(column) ? problem : `${column}: ${problem}`;
  return { invalid: problems, message: `Does not fit. ${said}${others}` };
}

function messageOf(failure: Failure | undefined): { message?: string } {
  if (!failure) return {};
  return { message: failure.hint ? `${failure.message} · ${failure.hint}` : failure.message };
}
