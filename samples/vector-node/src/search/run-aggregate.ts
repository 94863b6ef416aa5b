import type { ClassDefinition } from '../definition.ts';
import { unprocessable } from '../errors.ts';
import type { WhereInput } from '../filter/where.ts';
import type { Database } from '../store/database.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { type Group, groupsOf } from './aggregate.ts';
import { filtered } from './filtered.ts';
import { isSearch, type SearchInput, searchHits } from './search.ts';

export interface AggregateInput extends SearchInput {
  where?: WhereInput;
  tenant?: string;
  groupBy?: string[];
  /** The number of groups. */
  limit?: number;
  /** The number of hits of a search that count. */
  objectLimit?: number;
}

/** The result of `Aggregate { Collection(…) }`. */
export function runAggregate(
  database: Database,
  definition: ClassDefinition,
  input: AggregateInput,
): Group[] {
  const { where, groupBy, limit, tenant } = input;
  const matching = filtered(database, definition, { where, tenant, doing: '' });
  const all = database.objects.inOrder(definition.class, tenant);
  const candidates = matching ?? all;
  const objects = isSearch(input) ? found(database, definition, input, { all, candidates }) : candidates;
  const groups = groupsOf(objects, groupBy, definition);
  return limit === undefined ? groups : groups.slice(0, limit);
}

function found(
  database: Database,
  definition: ClassDefinition,
  input: AggregateInput,
  among: { all: StoredObject[]; candidates: StoredObject[] },
): StoredObject[] {
  const { nearText, nearVector, nearObject, hybrid, objectLimit } = input;
  const near = nearText ?? nearVector ?? nearObject;
  if (near && objectLimit === undefined && near.distance === undefined && near.certainty === undefined) {
    throw unprocessable('must provide certainty or objectLimit with vector search');
  }
  const limit = objectLimit ?? among.all.length;
  const hits = searchHits(database, definition, input, { ...among, limit, ofEach: limit });
  // A hybrid search counts the best objects by words, and the best by vector. So it may count more than the limit.
  return (hybrid ? hits : hits.slice(0, limit)).map(({ object }) => object);
}
