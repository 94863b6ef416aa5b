import { type Core, type DataAccess, type OwnText, own, ownAmount } from '@trestle/core';
import type { BrowseRequest, CountRequest, RowSet } from '@trestle/driver-kit';
import { z } from 'zod';
import { dataAnswer, theDatabase } from '../answer/answer.ts';
import { AnswerBudget } from '../answer/answer-budget.ts';
import { remarkText, rowsText } from '../answer/rows-text.ts';
import { openConnection } from './connection-argument.ts';
import {
  columnsArgument,
  filterArguments,
  limitArgument,
  offsetArgument,
  sortArgument,
  tableArguments,
  toCountRequest,
  vectorsArgument,
} from './row-arguments.ts';
import { defineTool, readAnnotations } from './tool.ts';
import { wantedColumns } from './wanted-columns.ts';

export const browseTable = defineTool({
  name: 'browse_table',
  title: 'Browse a table',
  description:
    'Rows of a table, with its key columns; count_only returns only their number. A filter value is a list for ' +
    'in_list, [low, high] for between.',
  annotations: readAnnotations,
  input: z.strictObject({
    ...tableArguments,
    columns: columnsArgument,
    ...filterArguments,
    sort: sortArgument,
    limit: limitArgument(),
    offset: offsetArgument(),
    count_only: z.boolean().default(false),
    include_vectors: vectorsArgument,
  }),
  async run(args, call) {
    const { core } = call;
    const { access } = openConnection(call, args.connection_id);
    if (args.count_only)
      return { text: ownAmount(await core.data.count(access, toCountRequest(args)), own`row`) };
    const { table, columns, sort, limit, offset, include_vectors: includeVectors } = args;
    const wanted = await wantedColumns(core, access, { table, columns, includeVectors });
    const request = { ...toCountRequest(args), sort, ...(wanted && { columns: wanted }), limit, offset };
    const budget = new AnswerBudget();
    const lines: string[] = [];
    const notes: OwnText[] = [];
    const remarks: string[] = [];
    let shown = 0;
    let hasMore = false;
    for await (const { rows, note, isLast } of pages(core, access, request)) {
      // If the request names columns, the client named them or asked for vectors. In both cases, vectors are shown.
      const shows = { includeVectors: wanted !== undefined };
      const part = rowsText(rows, { budget, ...shows, isFirst: lines.length === 0 });
      lines.push(...part.lines);
      notes.push(...part.notes);
      if (note !== undefined) remarks.push(remarkText(note));
      shown += part.shown;
      hasMore = part.cut || (isLast && shown === limit);
      if (part.cut) break;
    }
    if (hasMore) notes.push(...(await nextPageNote(core, access, toCountRequest(args), offset + shown)));
    const isEmpty = shown === 0 && !hasMore && remarks.length === 0;
    return isEmpty ? { text: noRows } : dataAnswer(theDatabase, [...lines, ...remarks], notes);
  },
});

export const noRows = own`No rows.`;

/** The most rows in one request to a driver, as in the grid. */
const pageRows = 1_000;

async function* pages(
  core: Core,
  access: DataAccess,
  request: BrowseRequest,
): AsyncGenerator<{ rows: RowSet; note?: string; isLast: boolean }> {
  let left = request.limit;
  for (let { offset } = request; left > 0; ) {
    const limit = Math.min(left, pageRows);
    const { rows, note } = await core.data.browse(access, { ...request, offset, limit });
    left -= limit;
    const isLast = left === 0 || rows.rowCount < limit;
    yield { rows, ...(note !== undefined && { note }), isLast };
    if (isLast) return;
    offset += rows.rowCount;
  }
}

/** The start of the next page, and the number of rows left if it is known. Empty if that number is 0. */
async function nextPageNote(
  core: Core,
  access: DataAccess,
  request: CountRequest,
  next: number,
): Promise<OwnText[]> {
  // A count may take much longer than a page of rows. If the count fails or takes too long, the note has no number.
  const total = await core.data.count({ ...access, timeoutMs: countMs }, request).catch(() => undefined);
  if (total !== undefined && total <= next) return [];
  if (total === undefined) return [own`next_offset: ${next}`];
  return [own`next_offset: ${next} (${ownAmount(total - next, own`row`)} left)`];
}

const countMs = 3_000;
