import { malformed, ServerError, undecodable, unprocessable } from '../errors.ts';
import type { WhereInput } from '../filter/where.ts';
import { filtered } from '../search/filtered.ts';
import type { Limits } from '../search/get.ts';
import type { Database } from '../store/database.ts';
import { type ObjectBody, upsertObject } from '../store/object-writer.ts';
import { isMap, uuidPattern } from '../store/value-check.ts';
import { writeAnswer } from './object-answer.ts';
import { decodedObject } from './object-body.ts';
import { ok, type Routes } from './router.ts';

export function batchRoutes(database: Database, limits: Limits): Routes {
  return {
    '/batch/objects': {
      POST: ({ body }) => ok(database.together(() => importObjects(database, body))),
      DELETE: ({ body, query }) =>
        ok(deleteMatching(database, isMap(body) ? body : {}, query.get('tenant') ?? undefined, limits)),
    },
  };
}

/**
 * If one object fails, the valid objects are still stored. But nothing is stored if the body has a wrong shape, an
 * invalid id, or an object without a class.
 */
function importObjects(database: Database, body: unknown): object[] | undefined {
  const objects = objectsIn(body);
  if (objects.length === 0)
    throw unprocessable("invalid param 'objects': cannot be empty, need at least one object for batching");
  objects.forEach((object, index) => {
    const id = object?.id;
    if (id !== undefined && id !== '' && !uuidPattern.test(id)) {
      throw malformed(`body.objects.${index}.id in body must be of type uuid: "${id}"`);
    }
  });
  // Weaviate fails on an object that is null or has no class. It stores nothing, and answers 200 without a body.
  if (!objects.every((object): object is ObjectBody => Boolean(object?.class))) return undefined;
  return objects.map((given) => {
    try {
      const object = upsertObject(database, given);
      const answer = writeAnswer(object, database.schema.get(object.className), given.tenant);
      return { ...answer, deprecations: null, result: { status: 'SUCCESS' } };
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      const message = error.message.replace(/^invalid object: /, '');
      return { ...given, deprecations: null, result: { errors: { error: [{ message }] }, status: 'FAILED' } };
    }
  });
}

/** Weaviate decodes the whole body before it checks the objects. */
function objectsIn(body: unknown): (ObjectBody | null)[] {
  const given = body ?? {};
  if (!isMap(given)) throw undecodable(given, 'value of type batch.BatchObjectsCreateBody');
  const field = 'struct field BatchObjectsCreateBody.objects of type';
  const objects = given.objects ?? [];
  if (!Array.isArray(objects)) throw undecodable(objects, `${field} []*models.Object`);
  return objects.map((object: unknown) => {
    if (object !== null && !isMap(object)) throw undecodable(object, `${field} models.Object`);
    return object && decodedObject(object, 'Object.objects');
  });
}

function deleteMatching(
  database: Database,
  body: Record<string, unknown>,
  tenant: string | undefined,
  { maximumResults }: Limits,
): object {
  const refuse = (reason: string) => unprocessable(`validate: ${reason}`);
  if (!isMap(body.match)) throw refuse('empty match clause');
  const { class: className, where } = body.match as { class?: string; where?: WhereInput };
  if (!className) throw refuse('empty match.class clause');
  if (!where) throw refuse('empty match.where clause');
  const definition = database.schema.find(className);
  if (!definition) throw refuse(`failed to get class: ${className}`);
  const dryRun = body.dryRun === true;
  let found: ReturnType<typeof filtered>;
  try {
    found = filtered(database, definition, { where, tenant, doing: '' });
  } catch (error) {
    const refusal = database.schema.tenantRefusal(definition, tenant);
    // Weaviate checks the filter before the tenant, so an error of the filter wins.
    if (refusal === null || (error as Error).message !== refusal) throw whereFailure(error);
    throw unprocessable(`batch delete objects: cannot find objects: ${refusal}`);
  }
  const matching = (found ?? []).slice(0, maximumResults);
  if (!dryRun) {
    database.commit(
      ...matching.map(({ id }) => ({
        op: 'delete' as const,
        class: definition.class,
        ...(tenant && { tenant }),
        id,
      })),
    );
  }
  const output = body.output === 'verbose' ? 'verbose' : 'minimal';
  const status = dryRun ? 'DRYRUN' : 'SUCCESS';
  return {
    deletionTimeUnixMilli: Date.now(),
    dryRun,
    match: body.match,
    output,
    results: {
      failed: 0,
      limit: maximumResults,
      matches: found?.length ?? 0,
      objects: output === 'verbose' ? matching.map(({ id }) => ({ id, status })) : null,
      successful: dryRun ? 0 : matching.length,
    },
  };
}

/** As in Weaviate, an invalid filter has status 422, and a filter that fails in the index has status 500. */
function whereFailure(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  const shape = /^(?:invalid 'where' filter|could not extract filters): (?:invalid where filter: )?/;
  if (shape.test(message))
    return unprocessable(`validate: ${message.replace(shape, 'invalid where filter: ')}`);
  return new ServerError(
    500,
    `batch delete objects: cannot find objects: find matching doc ids in docIds: ${message}`,
  );
}
