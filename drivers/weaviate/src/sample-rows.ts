import type { RowSet, SampleRequest } from '@trestle/driver-kit';
import { filterOf, objectBatches } from './browse.ts';
import type { WeaviateObject } from './cells.ts';
import type { CollectionReader } from './collection-reader.ts';
import { chooseColumns, type GridColumn } from './columns.ts';
import type { FilterContext } from './operators.ts';
import { rowSetOf } from './row-set.ts';
import { areEvenlySpread, uuidAt } from './uuid-space.ts';

const rowsARun = 100;

/**
 * A sample of about `rows` objects. Almost every object has the same chance to be in it. Uuids are usually random, so
 * the sample is read in short runs that start at random uuids. In three cases, one pass over the objects draws the
 * sample: with a filter, with few objects, and if the uuids are not spread evenly.
 */
export async function* sampleRows(
  reader: CollectionReader,
  request: SampleRequest,
  context: FilterContext,
): AsyncGenerator<RowSet> {
  const columns = chooseColumns(reader.collection, request.columns);
  const where = filterOf(request, context);
  const total = await reader.count(where);
  const { rows } = request;
  const jumps = where === null && total > 2 * rows && (await areEvenlySpread(reader, total));
  const batches = jumps ? runs(reader, columns, rows) : drawn(reader, { columns, where, rows, total });
  let isFirst = true;
  for await (const objects of batches) {
    if (objects.length > 0 || isFirst) yield rowSetOf(objects, columns);
    isFirst = false;
  }
}

/** Short runs. Each run usually starts at a random place in its own part of the uuid range. */
async function* runs(
  reader: CollectionReader,
  columns: GridColumn[],
  rows: number,
): AsyncGenerator<WeaviateObject[]> {
  const count = Math.ceil(rows / rowsARun);
  const withVectors = hasVectors(columns);
  const read = (run: number, least: string) => {
    const start = uuidAt((run + Math.random()) / count);
    // The run before may have reached into this part. Starting after its last object avoids duplicates.
    const after = start < least ? least : start;
    const page = { limit: rowsARun, after };
    const reading = withVectors
      ? reader.listWithVectors(page, columns)
      : reader.list({ ...page, withVectors });
    reading.catch(() => {});
    return { reading, after };
  };
  let next = read(0, '');
  for (let run = 0; run < count; run++) {
    const { reading } = next;
    const objects = await reading;
    const last = objects.at(-1)?.id ?? next.after;
    // The server reads the next run while this one is sent on.
    if (run + 1 < count) next = read(run + 1, last);
    yield objects;
  }
}

/**
 * Selection sampling (Knuth, algorithm S): one pass over the objects. Each object is kept with the probability
 * `rows still needed / objects still left`.
 */
async function* drawn(
  reader: CollectionReader,
  at: {
    columns: GridColumn[];
    where: Parameters<typeof objectBatches>[1]['where'];
    rows: number;
    total: number;
  },
): AsyncGenerator<WeaviateObject[]> {
  const wanted = hasVectors(at.columns);
  // Vectors can make a page ten times as large. They are read with the page only if there is no filter and at least
  // half of the objects are kept. Otherwise the vectors of the kept objects are read by their uuids.
  const withVectors = wanted && at.where === null && at.total <= 2 * at.rows;
  let seen = 0;
  let kept = 0;
  for await (const objects of objectBatches(reader, { ...at, withVectors })) {
    const chosen = objects.filter(() => {
      const left = Math.max(1, at.total - seen++);
      if (Math.random() * left >= at.rows - kept) return false;
      kept++;
      return true;
    });
    yield wanted && !withVectors ? await reader.withTheirVectors(chosen, at.columns) : chosen;
    if (kept >= at.rows) return;
  }
}

function hasVectors(columns: GridColumn[]): boolean {
  return columns.some(({ source }) => source.kind === 'vector');
}
