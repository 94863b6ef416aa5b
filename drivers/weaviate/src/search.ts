import { DriverError, maskedUse, type Page, type SearchRequest } from '@trestle/driver-kit';
import { filterOf } from './browse.ts';
import type { CollectionReader } from './collection-reader.ts';
import { chooseColumns, gridColumns } from './columns.ts';
import { autocutOf, groupingOf, rerankOf, searchedProperties, searchOf } from './described-search.ts';
import { explainRows } from './explain-search.ts';
import { GuardedColumns } from './guarded-columns.ts';
import type { FilterContext } from './operators.ts';
import type { Fact } from './requests/model/objects.ts';
import { rowSetOf } from './row-set.ts';
import type { Collection } from './schema.ts';
import { groupedSearch } from './search-groups.ts';
import { chosenTarget, targetNames } from './search-targets.ts';
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
  const rerank = rerankOf(request, context);
  const groupBy = groupingOf(request, context);
  const asked = {
    search: searchOf(request, context),
    autocut: autocutOf(request, context),
    where: filterOf(request, context),
    providerKeys: reader.providerKeys,
  };
  const facts: Fact[] = [
    measure,
    ...(isExplained && request.mode === 'hybrid' ? (['explainScore'] as const) : []),
  ];
  const searched = isExplained ? searchedProperties(request, context) : [];
  const read = gridColumns(reader.collection).filter(
    (column) =>
      columns.includes(column) ||
      (column.source.kind === 'property' && searched.includes(column.source.property)),
  );
  const { result, limit } = await reader
    .deep({ offset: 0, limit: request.limit }, async (limit) => {
      if (groupBy) return groupedSearch(reader, { ...asked, limit, groupBy }, { columns, measure });
      return {
        rows: await reader.find({ ...asked, columns: read, facts, rerank, limit }),
        groups: undefined,
      };
    })
    .catch((error) => {
      throw namingLengths(error, request, reader.collection);
    });
  const { rows, groups } = result;
  const found = rowSetOf(
    rows.map(({ object }) => object),
    columns,
  );
  const shown = rerank ? 'rerank score' : measure;
  const name = columns.some((column) => column.name === shown) ? `${shown} (search)` : shown;
  // The column with the distance or score is beside the uuid, where it is easy to see.
  found.columns.splice(1, 0, {
    name,
    type: 'number',
    nativeType: shown,
    isMeasure: true,
    isDistance: shown === 'distance',
  });
  found.values.splice(1, 0, {
    kind: 'cells',
    cells: rows.map((row) => (rerank ? row.rerankScore : row[measure])),
  });
  const notes = [
    ...chosenTarget(request, reader.collection).map((name) => `Searched by the vector ${name}.`),
    ...(limit < request.limit ? [reader.depth.note()] : []),
  ];
  return {
    rows: found,
    ...(groups && { groups }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
    ...(isExplained && { explanations: await explainRows(reader, request, rows, context) }),
  };
}

function namingLengths(error: unknown, request: SearchRequest, collection: Collection): unknown {
  const { vector, table } = request;
  if (!vector || !(error instanceof DriverError)) return error;
  const [target, ...more] = targetNames(request, collection) ?? [];
  const of = target === undefined || more.length > 0 ? table : `${table} (${target})`;
  const failure = vectorLengthFailure(error.message, { given: vector.length, of });
  const [chosen] = chosenTarget(request, collection);
  if (!failure || chosen === undefined) return failure ?? error;
  const others = collection.vectors.flatMap(({ name }) => (name === null || name === chosen ? [] : [name]));
  const hint = `Searched by the vector ${chosen}. As target vector, name another one: ${others.join(', ')}.`;
  return new DriverError({ code: failure.code, message: failure.message, hint });
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
