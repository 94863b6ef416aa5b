import type { SearchRequest } from '@trestle/weaviate-connect';
import type { ClassDefinition } from '../definition.ts';
import { findProperty } from '../definition.ts';
import { noSuchProperty, unprocessable } from '../errors.ts';
import type { GetInput } from '../search/get.ts';
import type { Database } from '../store/database.ts';
import { whereOf } from './filters.ts';
import { searchOf, withoutModule } from './searches.ts';

/** Weaviate's QUERY_DEFAULTS_LIMIT. GraphQL has another default. */
const defaultLimit = 10;

/** What a message `SearchRequest` asks of the search core. */
export function getInputOf(
  request: SearchRequest,
  definition: ClassDefinition,
  database: Database,
): GetInput {
  refuseModules(request, definition);
  const { tenant, limit, offset, autocut, after, sortBy, filters, groupBy } = request;
  const { nearVector, nearObject, nearText, bm25Search, hybridSearch } = request;
  const given = {
    ...(nearVector && { nearVector }),
    ...(nearObject && { nearObject }),
    ...(nearText && { nearText }),
    ...(bm25Search && { bm25: bm25Search }),
    ...(hybridSearch && { hybrid: hybridSearch }),
  };
  const search = searchOf(given, definition);
  const isSearch = Object.keys(search).length > 0;
  if (sortBy.length > 0 && isSearch) throw unprocessable('sorting cannot be combined with search');
  if (groupBy && !isSearch) throw unprocessable('group is not present map[]');
  const [groupPath = ''] = groupBy?.path ?? [];
  if (groupBy && !findProperty(definition, groupPath)) {
    throw unprocessable(noSuchProperty(groupPath, definition.class));
  }
  return {
    ...search,
    limit: limit === 0 ? defaultLimit : limit,
    offset,
    autocut,
    ...(tenant !== '' && { tenant }),
    ...(after !== '' && { after }),
    ...(sortBy.length > 0 && {
      // Without `ascending`, the order is descending.
      sort: sortBy.map(({ path, ascending }) => ({ path, order: ascending ? 'asc' : 'desc' })),
    }),
    ...(filters && { where: whereOf(filters, definition, (name) => database.schema.find(name)) }),
    ...(groupBy && {
      groupBy: {
        path: groupBy.path,
        groups: groupBy.numberOfGroups,
        objectsPerGroup: groupBy.objectsPerGroup,
      },
    }),
  };
}

/** The sample node has no modules for these. */
function refuseModules(request: SearchRequest, definition: ClassDefinition): void {
  const media = ['nearImage', 'nearAudio', 'nearVideo', 'nearDepth', 'nearThermal', 'nearImu'] as const;
  const name = media.find((one) => request[one] !== undefined);
  if (name !== undefined) throw withoutModule(name, definition);
  const isNear = request.nearVector || request.nearObject || request.nearText;
  const search = isNear
    ? 'explorer: get class: concurrentTargetVectorSearch): explorer: get class'
    : 'explorer: list class';
  const extend = `${search}: extend:`;
  if (request.rerank) throw unprocessable(`${extend} unknown capability: rerank`);
  if (request.generative) throw unprocessable(`${extend} extend generate: client not found, empty provider`);
}
