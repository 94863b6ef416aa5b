import type { ClassDefinition } from '../definition.ts';
import { malformed, maximumExceeded, notFound, ServerError, undecodable, unprocessable } from '../errors.ts';
import type { Limits } from '../search/get.ts';
import { sortObjects } from '../search/sort.ts';
import type { Database } from '../store/database.ts';
import {
  createObject,
  mergeObject,
  type ObjectBody,
  replaceObject,
  requireTenant,
} from '../store/object-writer.ts';
import { isMap, uuidPattern } from '../store/value-check.ts';
import { readAnswer, writeAnswer } from './object-answer.ts';
import { decodedObject } from './object-body.ts';
import { noContent, ok, type RouteRequest, type Routes } from './router.ts';

export function objectRoutes(database: Database, limits: Limits): Routes {
  return {
    '/objects': {
      GET: ({ query }) => ok(listObjects(database, query, limits)),
      POST: ({ body }) => {
        const given = objectBody(body);
        const object = createObject(database, given);
        return ok(writeAnswer(object, database.schema.get(object.className), given.tenant));
      },
    },
    '/objects/validate': { POST: () => ok() },
    '/objects/{class}/{id}': {
      GET: (request) => ok(readOne(database, request)),
      HEAD: (request) => {
        readOne(database, request);
        return noContent();
      },
      PATCH: ({ params, body }) => {
        mergeObject(database, params.class ?? '', idOf(params), objectBody(body));
        return noContent();
      },
      PUT: ({ params, body }) => {
        const given = objectBody(body);
        const object = replaceObject(database, params.class ?? '', idOf(params), given);
        return ok(writeAnswer(object, database.schema.get(object.className), given.tenant));
      },
      DELETE: ({ params, query }) => {
        deleteOne(database, params.class ?? '', idOf(params), query.get('tenant') ?? undefined);
        return noContent();
      },
    },
    '/objects/{id}': classlessRoutes(database),
  };
}

/**
 * Weaviate has deprecated these routes without a class in the path, but they still work. DELETE removes the objects
 * with the given uuid from all collections.
 */
function classlessRoutes(database: Database): Routes[string] {
  const holders = (id: string) =>
    database.schema.all().filter((definition) => holds(database, definition, id));
  return {
    GET: ({ params, query }) => {
      const id = idOf(params);
      const [definition] = holders(id);
      const object = definition && database.objects.get(definition.class, undefined, id);
      if (!object) throw notFound();
      return ok(readAnswer(object, definition, { withVectors: includesVector(query) }));
    },
    HEAD: ({ params }) => {
      if (holders(idOf(params)).length === 0) throw notFound();
      return noContent();
    },
    PATCH: ({ params, body }) => {
      const given = objectBody(body);
      if (!given.class) throw unprocessable('msg:bad request code:400 err:empty class');
      mergeObject(database, given.class, idOf(params), given);
      return noContent();
    },
    PUT: ({ params, body }) => {
      const given = objectBody(body);
      const object = replaceObject(database, given.class ?? '', idOf(params), given);
      return ok(writeAnswer(object, database.schema.get(object.className), given.tenant));
    },
    DELETE: ({ params }) => {
      const id = idOf(params);
      const found = holders(id);
      if (found.length === 0) throw notFound();
      for (const definition of found) database.commit({ op: 'delete', class: definition.class, id });
      return noContent();
    },
  };
}

/** As in Weaviate, GET, HEAD and DELETE without a class fail if any collection is multi-tenant. */
function holds(database: Database, definition: ClassDefinition, id: string): boolean {
  requireTenant(database, definition, undefined, 'repo: object by id: search index');
  return database.objects.get(definition.class, undefined, id) !== undefined;
}

function listObjects(database: Database, query: URLSearchParams, limits: Limits): object {
  const offset = integer(query, 'offset', 0);
  const limit = integer(query, 'limit', 10);
  if (offset + limit > limits.maximumResults) {
    const reason = maximumExceeded(offset, limit, limits.maximumResults);
    throw unprocessable(`msg:offset or limit code:400 err:${reason}`);
  }
  const className = query.get('class');
  const tenant = query.get('tenant') ?? undefined;
  const withVectors = includesVector(query);
  const definitions = className === null ? database.schema.all() : [database.schema.get(className)];
  const objects = definitions.flatMap((definition) => {
    const refusal = database.schema.tenantRefusal(definition, tenant);
    if (refusal && className === null) return [];
    if (refusal)
      throw unprocessable(`msg:search index ${definition.class.toLowerCase()} code:422 err:${refusal}`);
    const after = query.get('after');
    return sorted(database, definition, tenant, query)
      .filter(({ id }) => !after || id > after.toLowerCase())
      .map((object) => ({ object, definition }));
  });
  if (query.get('after') && offset > 0) {
    throw unprocessable(
      "msg:cursor api: invalid 'after' parameter code:400 err:offset cannot be set with after and limit parameters",
    );
  }
  // With an empty cursor and an offset, or with a negative offset, Weaviate returns no objects instead of an error.
  const isEmpty = offset < 0 || (query.get('after') !== null && offset > 0);
  const start = isEmpty ? objects.length : offset;
  const page = objects.slice(start, start + Math.max(0, limit));
  return {
    deprecations: className === null ? null : [],
    objects: page.map(({ object, definition }) => readAnswer(object, definition, { withVectors })),
    ...(page.length > 0 && { totalResults: page.length }),
  };
}

function sorted(
  database: Database,
  definition: ClassDefinition,
  tenant: string | undefined,
  query: URLSearchParams,
) {
  const objects = database.objects.byId(definition.class, tenant);
  const paths = (query.get('sort') ?? '').split(',').filter((path) => path !== '');
  if (paths.length === 0) return objects;
  const orders = (query.get('order') ?? '').split(',');
  try {
    return sortObjects(
      objects,
      paths.map((path, index) => ({ path: [path], order: orders[index] || 'asc' })),
      definition,
    );
  } catch (error) {
    throw error instanceof ServerError ? unprocessable(`msg:sorting code:400 err:${error.message}`) : error;
  }
}

function readOne(database: Database, { params, query }: RouteRequest): object {
  const id = idOf(params);
  const definition = database.schema.get(params.class ?? '');
  const tenant = query.get('tenant') ?? undefined;
  requireTenant(database, definition, tenant, 'repo: object by id: search index');
  const object = database.objects.get(definition.class, tenant, id);
  if (!object) throw notFound();
  return readAnswer(object, definition, { withVectors: includesVector(query), ...(tenant && { tenant }) });
}

function deleteOne(database: Database, className: string, id: string, tenant: string | undefined): void {
  const definition = database.schema.find(className);
  if (!definition) {
    throw new ServerError(
      500,
      `could not delete object from vector repo: delete from non-existing index for ${className}`,
    );
  }
  const refusal = database.schema.tenantRefusal(definition, tenant);
  if (refusal) {
    const index = definition.class.toLowerCase();
    throw unprocessable(
      `delete object from vector repo: delete from index "${index}": determine shard: ${refusal}`,
    );
  }
  // Weaviate reports success even if the object did not exist.
  if (!database.objects.get(definition.class, tenant, id)) return;
  database.commit({ op: 'delete', class: definition.class, ...(tenant && { tenant }), id });
}

function objectBody(body: unknown): ObjectBody {
  if (isMap(body)) return decodedObject(body);
  if (body === undefined)
    throw new ServerError(422, 'body in body is required', { shape: 'coded', code: 602 });
  throw undecodable(body, 'value of type models.Object');
}

export function idOf(params: Record<string, string>): string {
  const id = params.id ?? '';
  if (!uuidPattern.test(id)) throw malformed(`id in path must be of type uuid: "${id}"`);
  return id.toLowerCase();
}

function includesVector(query: URLSearchParams): boolean {
  return (query.get('include') ?? '').split(',').includes('vector');
}

function integer(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null || text === '') return fallback;
  if (!/^-?\d+$/.test(text)) throw malformed(`${name} in query must be of type int64: "${text}"`);
  return Number(text);
}
