import { setImmediate } from 'node:timers/promises';
import {
  type BrowseRequest,
  DriverError,
  type ExportRequest,
  type Page,
  type RowSet,
  type SearchRequest,
  type Sort,
} from '@trestle/driver-kit';
import type { WeaviateObject } from './cells.ts';
import { type CollectionReader, inStableOrder } from './collection-reader.ts';
import { chooseColumns, findColumn, type GridColumn, gridColumns } from './columns.ts';
import { unsortableReason } from './describe.ts';
import type { FilterContext } from './operators.ts';
import type { SortKey } from './requests/model/objects.ts';
import { afterId, combine, type Where } from './requests/model/where.ts';
import { rowSetOf } from './row-set.ts';
import { whereOf } from './where.ts';

export async function browse(
  reader: CollectionReader,
  request: BrowseRequest,
  context: FilterContext,
): Promise<Page> {
  const columns = chooseColumns(reader.collection, request.columns);
  const where = filterOf(request, context);
  const sort = sortPaths(request.sort, context);
  const withVectors = columns.some(({ source }) => source.kind === 'vector');
  const { offset } = request;
  const { result, limit } = await reader.deep(request, (limit) =>
    where === null && sort.length === 0
      ? withVectors
        ? reader.listWithVectors({ limit, offset }, columns)
        : reader.list({ limit, offset, withVectors })
      : sortedPage({ reader, columns, where, sort, limit, offset }),
  );
  return {
    rows: rowSetOf(result, columns),
    depth: reader.depth.rows,
    ...(limit < request.limit && { note: reader.depth.note() }),
  };
}

/**
 * The matching objects, in the requested order, or else in uuid order. With neither a sort nor a filter, an export
 * pages by the server's cursor. With only a filter, it adds the clause "uuid after the last one seen" to the filter.
 */
export async function* exportRows(
  reader: CollectionReader,
  request: ExportRequest,
  context: FilterContext,
): AsyncGenerator<RowSet> {
  if (request.sort.length > 0) {
    yield* exportSorted(reader, request, context);
    return;
  }
  const columns = chooseColumns(reader.collection, request.columns);
  const where = filterOf(request, context);
  const withVectors = columns.some(({ source }) => source.kind === 'vector');
  let isFirst = true;
  const after = String(request.after?.uuid ?? '');
  for await (const objects of objectBatches(reader, { columns, where, withVectors, after })) {
    // If no object matches, one empty batch still names the columns.
    if (objects.length > 0 || isFirst) yield rowSetOf(objects, columns);
    isFirst = false;
  }
}

/** The matching objects in uuid order. The last batch may be empty. */
export async function* objectBatches(
  reader: CollectionReader,
  { columns: all, where, withVectors, after = '' }: Batches,
): AsyncGenerator<WeaviateObject[]> {
  const columns = withVectors ? all : all.filter(({ source }) => source.kind !== 'vector');
  let rows = withVectors ? 200 : 1000;
  let areLong = true;
  const readAfter = (last: string) =>
    reader.deep({ offset: 0, limit: rows }, async (limit): Promise<Batch> => {
      const page = { limit, after: last };
      if (where === null && withVectors && areLong) return vectorsBatch(reader, page, columns);
      if (where === null) return listedBatch(reader, { ...page, withVectors });
      const objects = await sortedPage({
        reader,
        columns,
        where: last === '' ? where : (combine('And', [where, afterId(last)]) as Where),
        sort: [{ path: '_id', order: 'asc' }],
        limit,
        offset: 0,
      });
      return { parse: () => objects };
    });
  let reading = readAfter(after);
  for (let isFirst = true; ; isFirst = false) {
    const { result: batch, limit } = await reading;
    if (batch.length !== undefined) rows = rowsPerBatch(limit, batch.length);
    // The server reads the next batch while this one is parsed and sent on: one batch ahead, never more. The
    // first batch of a table is often its only one, so the second is requested after the first is parsed.
    const guess = isFirst ? undefined : batch.lastId;
    const ahead = guess && silently(readAfter(guess));
    // The request is sent in a later turn of the event loop. Parsing takes long, and would delay the request.
    if (ahead) await setImmediate();
    const objects = batch.parse();
    if (isFirst && objects[0]) areLong = vectorsLength(objects[0]) > longVectors;
    const final = objects.length < limit ? undefined : objects.at(-1);
    if (final) reading = (final.id === guess && ahead) || silently(readAfter(final.id));
    yield objects;
    if (!final) return;
  }
}

interface Batches {
  columns: GridColumn[];
  where: Where | null;
  withVectors: boolean;
  /** The first object is the one after this uuid. */
  after?: string;
}

/**
 * One request costs the server as much as several hundred small objects, so small objects are read in larger
 * batches.
 */
function rowsPerBatch(rows: number, length: number): number {
  const wanted = Math.floor((rows * batchLength) / Math.max(1, length));
  return Math.min(5000, Math.max(100, wanted));
}

/** The target length of an answer in characters. A longer answer would use more memory. */
const batchLength = 4 * 1024 * 1024;

interface Batch {
  /** The number of characters of the answer, if it came as one text. */
  length?: number;
  /** The uuid of the last object, read from the unparsed text. It may be wrong. */
  lastId?: string | undefined;
  parse: () => WeaviateObject[];
}

async function listedBatch(
  reader: CollectionReader,
  page: { limit: number; after: string; withVectors: boolean },
): Promise<Batch> {
  const text = await reader.listText(page);
  // If an object property has a member named id, `lastId` may be that member. The caller compares it with the real id.
  const lastId = /"id":"([0-9a-f-]{36})"/.exec(text.slice(text.lastIndexOf('"id":"')))?.[1];
  return { lastId, length: text.length, parse: () => reader.parseList(text) };
}

async function vectorsBatch(
  reader: CollectionReader,
  page: { limit: number; after: string },
  columns: GridColumn[],
): Promise<Batch> {
  const objects = await reader.listWithVectors(page, columns);
  const length = objects[0] && objects.length * JSON.stringify(objects[0]).length;
  return { lastId: objects.at(-1)?.id, ...(length !== undefined && { length }), parse: () => objects };
}

function vectorsLength({ vector, vectors }: WeaviateObject): number {
  return JSON.stringify([vector, vectors]).length;
}

/** 100 to 200 floats as text. REST reads shorter vectors faster: it does not look for the objects by their uuids. */
const longVectors = 2_000;

/**
 * If the answer is not needed any more, for example because the consumer stops early, nobody awaits this request. Its
 * failure must not become an unhandled rejection.
 */
function silently<T>(reading: Promise<T>): Promise<T> {
  reading.catch(() => {});
  return reading;
}

/** A cursor cannot follow a sort order, so a sorted export cannot exceed the paging limit. */
async function* exportSorted(
  reader: CollectionReader,
  request: ExportRequest,
  context: FilterContext,
): AsyncGenerator<RowSet> {
  const count = await reader.count(filterOf(request, context));
  const limit = 1000;
  for (let offset = 0; ; offset += limit) {
    assertDepth(reader, count);
    const { rows } = await browse(reader, { ...request, limit, offset }, context);
    // The page may have shown that this server has a lower paging limit.
    assertDepth(reader, count);
    if (rows.rowCount > 0 || offset === 0) yield rows;
    // A page after the last row could lie beyond the paging limit.
    if (rows.rowCount < limit || offset + limit >= count) return;
  }
}

function assertDepth({ depth }: CollectionReader, count: number): void {
  if (count <= depth.rows) return;
  throw new DriverError({
    code: 'paging_limit',
    message: `Trestle sorts no more than ${depth.rows.toLocaleString('en')} objects for an export`,
    hint: 'Export without a sort: the file is then complete, in uuid order.',
  });
}

export function filterOf(
  request: Pick<SearchRequest, 'filters' | 'match'>,
  context: FilterContext,
): Where | null {
  return whereOf(request.filters, request.match, gridColumns(context.collection), context);
}

async function sortedPage(page: {
  reader: CollectionReader;
  columns: GridColumn[];
  where: Where | null;
  sort: SortKey[];
  limit: number;
  offset: number;
}): Promise<WeaviateObject[]> {
  const { reader, columns, where, sort, limit, offset } = page;
  const rows = await reader.find({ where, sort: inStableOrder(sort), limit, offset, columns });
  return rows.map(({ object }) => object);
}

function sortPaths(sort: Sort[], context: FilterContext): SortKey[] {
  const columns = gridColumns(context.collection);
  return sort.map(({ column: name, order }) => {
    const column = findColumn(columns, name, context.collection);
    const reason = unsortableReason(column);
    if (reason) throw new DriverError({ code: 'invalid_argument', message: `Sort by ${name}: ${reason}` });
    return { path: column.source.kind === 'property' ? column.source.property.name : '_id', order };
  });
}
