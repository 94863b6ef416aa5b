import type { ClassDefinition } from '../definition.ts';
import { unprocessable } from '../errors.ts';
import { checkClause } from '../filter/check-clause.ts';
import { compile, MissingIndex } from '../filter/compile.ts';
import { firstKeys } from '../filter/first-keys.ts';
import { readWhere, type WhereInput } from '../filter/where.ts';
import type { Database } from '../store/database.ts';
import type { StoredObject } from '../store/stored-object.ts';

interface FilterRequest {
  where: WhereInput | undefined;
  tenant: string | undefined;
  /** The action that error messages name. If it is empty, they name no action. */
  doing: string;
  /** Only for a listing: offset plus limit. Weaviate may stop reading at that many objects (see `firstKeys`). */
  pageEnd?: number;
}

/** The matching objects in docId order. Null without a filter. */
export function filtered(
  database: Database,
  definition: ClassDefinition,
  { where, tenant, doing, pageEnd = 0 }: FilterRequest,
): StoredObject[] | null {
  const index = definition.class.toLowerCase();
  const place = doing === '' ? '' : `${doing}: object search at index ${index}: `;
  const clause = where && prefixed('could not extract filters: ', () => readWhere(where));
  if (clause) {
    prefixed("invalid 'where' filter: ", () =>
      checkClause(clause, definition.class, (name) => database.schema.find(name)),
    );
  }
  const refusal = database.schema.tenantRefusal(definition, tenant);
  if (refusal) throw unprocessable(`${place}${refusal}`);
  if (!clause) return null;
  const shard = place === '' ? '' : `${place}local shard object search ${index}: `;
  const test = prefixed(shard, () => compile(clause, { database, definition, tenant }));
  const matching = database.objects.inOrder(definition.class, tenant).filter(test);
  return pageEnd > 0 ? firstKeys(matching, test, pageEnd) : matching;
}

export function prefixed<Result>(prefix: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof MissingIndex) throw unprocessable(error.message);
    throw error instanceof Error ? unprocessable(`${prefix}${error.message}`) : error;
  }
}
