import {
  DriverError,
  float32ToNumber,
  type Json,
  maskedUse,
  type Page,
  type SearchRequest,
} from '@trestle/driver-kit';
import { filterOf } from './browse.ts';
import type { WeaviateObject } from './cells.ts';
import type { CollectionReader } from './collection-reader.ts';
import { chooseColumns } from './columns.ts';
import { explainRows } from './explain-search.ts';
import { GuardedColumns } from './guarded-columns.ts';
import type { FilterContext } from './operators.ts';
import { rowSetOf } from './row-set.ts';
import { searchArgument } from './search-argument.ts';
import { groupedSearch } from './search-groups.ts';
import { rerankField, rerankScore } from './search-rerank.ts';
import { targetNames } from './search-targets.ts';
import { isScored, searchesOf } from './searches.ts';
import { vectorLengthFailure } from './vector-length.ts';

/** The nearest or best objects first, with a column for the distance or score. */
export async function search(
  reader: CollectionReader,
  request: SearchRequest,
  context: FilterContext,
): Promise<Page> {
  const support = searchesOf(context).modes.find(({ mode }) => mode === request.mode);
  if (!support || support.refusal) {
    throw new DriverError({ code: 'unsupported', message: support?.refusal ?? `No search ${request.mode}` });
  }
  assertVectorsFree(request, reader);
  const columns = chooseColumns(reader.collection, request.columns);
  const measure = isScored(request) ? 'score' : 'distance';
  const isExplained = request.explain === true && measure === 'score' && !request.groupBy;
  const where = filterOf(request, context);
  const given = { ...searchArgument(request, context), where: where ?? undefined };
  const rerank = rerankField(request, context);
  const wanted = {
    columns: columns.filter(({ source }) => source.kind !== 'vector'),
    providerKeys: reader.providerKeys,
    additional: [measure, ...(isExplained ? ['explainScore'] : []), ...(rerank ? [rerank] : [])],
  };
  const { result, limit } = await reader
    .deep({ offset: 0, limit: request.limit }, async (limit) => {
      const all = { ...given, limit };
      if (request.groupBy) return groupedSearch(reader, all, measure);
      return { rows: await reader.get({ ...wanted, arguments: all }), groups: undefined };
    })
    .catch((error) => {
      throw namingLengths(error, request);
    });
  const { rows, groups } = result;
  const objects = await withVectors(
    reader,
    rows.map(({ object }) => object),
    columns.some(({ source }) => source.kind === 'vector'),
  );
  const found = rowSetOf(objects, columns);
  const shown = rerank ? 'rerank score' : measure;
  const name = columns.some((column) => column.name === shown) ? `${shown} (search)` : shown;
  // The column with the distance or score is beside the uuid, where it is easy to see.
  found.columns.splice(1, 0, { name, type: 'number', nativeType: shown, isMeasure: true });
  found.values.splice(1, 0, {
    kind: 'cells',
    cells: rows.map(({ additional }) => numeric(rerank ? rerankScore(additional) : additional[measure])),
  });
  return {
    rows: found,
    ...(groups && { groups }),
    ...(limit < request.limit && { note: reader.depth.note() }),
    ...(isExplained && { explanations: await explainRows(reader, request, rows, context) }),
  };
}

async function withVectors(
  reader: CollectionReader,
  objects: WeaviateObject[],
  wanted: boolean,
): Promise<WeaviateObject[]> {
  const full = wanted
    ? await reader.readAll(
        objects.map(({ id }) => id),
        true,
      )
    : [];
  return objects.map((object, index) => ({
    ...object,
    vector: full[index]?.vector,
    vectors: full[index]?.vectors ?? null,
  }));
}

function namingLengths(error: unknown, { vector, table }: SearchRequest): unknown {
  if (!vector || !(error instanceof DriverError)) return error;
  return vectorLengthFailure(error.message, { given: vector.length, table }) ?? error;
}

function assertVectorsFree(request: SearchRequest, reader: CollectionReader): void {
  if (request.mode === 'keyword') return;
  const { collection } = reader;
  const columns = new GuardedColumns(request.guarded ?? [], [collection]);
  if (columns.hidesVectors(collection, targetNames(request, collection)))
    throw maskedUse(`a search by vectors of ${collection.name}`);
  if (request.mode === 'near_object' && columns.hidesIds(collection))
    throw maskedUse(`a search near a uuid of ${collection.name}`);
}

/** The server sends scores as text, with float32 precision. */
function numeric(value: Json | undefined): number | null {
  return value === null || value === undefined ? null : float32ToNumber(Math.fround(Number(value)));
}
