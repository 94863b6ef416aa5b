import { randomUUID } from 'node:crypto';
import { type ClassDefinition, findProperty, kindOf, vectorSpaces } from '../definition.ts';
import { malformed, notFound, ServerError, unprocessable } from '../errors.ts';
import { extendSchema } from './auto-schema.ts';
import { uncapitalised } from './class-defaults.ts';
import type { Database } from './database.ts';
import { checkReferences } from './references.ts';
import type { StoredObject } from './stored-object.ts';
import { checkValue, isMap, uuidPattern } from './value-check.ts';
import { givenVectors, type Vectors, vectorsAfter, vectorsFor } from './vectorise.ts';

export interface ObjectBody {
  class?: string;
  id?: string;
  tenant?: string;
  properties?: Record<string, unknown> | null;
  vector?: number[];
  vectors?: Record<string, number[]>;
  [field: string]: unknown;
}

export function createObject(database: Database, body: ObjectBody): StoredObject {
  const { definition, tenant, id, properties, vectors } = prepare(database, body);
  if (database.objects.get(definition.class, tenant, id)) throw unprocessable(`id '${id}' already exists`);
  const now = Date.now();
  return store(database, definition, { tenant, id, properties, vectors, createdAt: now, updatedAt: now });
}

/** For a batch: overwrites an existing object that has the same id. */
export function upsertObject(database: Database, body: ObjectBody): StoredObject {
  const { definition, tenant, id, properties, vectors } = prepare(database, body);
  const before = database.objects.get(definition.class, tenant, id);
  const now = Date.now();
  const createdAt = before?.createdAt ?? now;
  return store(database, definition, { tenant, id, properties, vectors, createdAt, updatedAt: now });
}

export function replaceObject(
  database: Database,
  className: string,
  id: string,
  body: ObjectBody,
): StoredObject {
  const definition = database.schema.get(className);
  if (body.id?.toLowerCase() !== id) {
    throw unprocessable("invalid update: field 'id' is immutable");
  }
  requireTenant(database, definition, body.tenant, 'put object: import into index');
  const before = database.objects.get(definition.class, body.tenant, id);
  if (!before) throw notFound();
  const { properties, vectors } = prepare(database, { ...body, class: definition.class, id });
  const times = { createdAt: before.createdAt, updatedAt: Date.now() };
  return store(database, definition, { tenant: body.tenant, id, properties, vectors, ...times });
}

/**
 * Properties that the body does not name stay. Null removes a property, references are added to the existing ones, and
 * any other value replaces the old one.
 */
export function mergeObject(database: Database, className: string, id: string, body: ObjectBody): void {
  if (!database.schema.find(className)) throw notFound();
  const tenant = body.tenant;
  const known = database.schema.get(className);
  requireTenant(database, known, tenant, 'repo: object by id: search index');
  const before = database.objects.get(known.class, tenant, id);
  if (!before) throw notFound();
  const patch = withSchemaNames(body.properties ?? {});
  try {
    const definition = extendSchema(database, className, patch);
    const checked = checkProperties(database, definition, patch);
    const after: Record<string, unknown> = { ...before.properties };
    for (const [name, value] of Object.entries(patch)) if (value === null) delete after[name];
    for (const [name, value] of Object.entries(checked)) {
      const isReference = kindOf(findProperty(definition, name) ?? { dataType: [] }).element === 'reference';
      after[name] = isReference ? [...(before.elements(name) as unknown[]), ...(value as unknown[])] : value;
    }
    const given = givenVectors(definition, body);
    const followed = vectorsAfter(
      definition,
      { before: before.properties, after, vectors: before.vectors },
      database.embed,
    );
    const vectors = new Map([...followed, ...given]);
    checkDimensions(database, definition, tenant, id, vectors);
    const times = { createdAt: before.createdAt, updatedAt: Date.now() };
    store(database, definition, { tenant, id, properties: after, vectors, ...times });
  } catch (error) {
    if (!(error instanceof ServerError) || error.status === 500) throw error;
    throw unprocessable(`msg:bad request code:400 err:${error.message.replace(/^invalid object: /, '')}`);
  }
}

export function requireTenant(
  database: Database,
  definition: ClassDefinition,
  tenant: string | undefined,
  doing: string,
): void {
  const refusal = database.schema.tenantRefusal(definition, tenant);
  if (refusal) throw unprocessable(`${doing} ${definition.class.toLowerCase()}: determine shard: ${refusal}`);
}

function prepare(database: Database, body: ObjectBody) {
  if (!body.class) throw unprocessable('invalid object: the given class is empty');
  if (body.id !== undefined && body.id !== '' && !uuidPattern.test(body.id)) {
    throw malformed(`id in body must be of type uuid: "${body.id}"`);
  }
  const id = body.id ? body.id.toLowerCase() : randomUUID();
  const sent = body.properties ?? {};
  if (!isMap(sent)) throw unprocessable('invalid object: properties must be a map');
  const given = withSchemaNames(sent);
  const definition = extendSchema(database, body.class, given);
  const properties = checkProperties(database, definition, given);
  requireTenant(database, definition, body.tenant, 'put object: import into index');
  const vectors = vectorsFor(definition, properties, givenVectors(definition, body), database.embed);
  checkDimensions(database, definition, body.tenant, id, vectors);
  return { definition, tenant: body.tenant, id, properties, vectors };
}

/** The schema stores each property name with a small first letter. Weaviate accepts `Title` for `title`. */
function withSchemaNames(properties: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [uncapitalised(name), value]));
}

function checkProperties(
  database: Database,
  definition: ClassDefinition,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const stored: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const property = findProperty(definition, name);
    if (value === null || !property) continue;
    if (kindOf(property).element === 'reference') {
      stored[name] = checkReferences(database, definition.class, property, value);
      continue;
    }
    const checked = checkValue(value, property, definition.class);
    if ('refusal' in checked) throw unprocessable(`invalid object: ${checked.refusal}`);
    stored[name] = checked.value;
  }
  return stored;
}

function checkDimensions(
  database: Database,
  definition: ClassDefinition,
  tenant: string | undefined,
  id: string,
  vectors: Vectors,
): void {
  for (const { name } of vectorSpaces(definition)) {
    const vector = vectors.get(name);
    const neighbour = vector && database.objects.sampleVector(definition.class, tenant, name, id);
    if (!vector || !neighbour || neighbour.length === vector.length) continue;
    throw new ServerError(
      500,
      `put object: import into index ${definition.class.toLowerCase()}: put local object: store object in LSM store: Validate vector index for ${id}: new node has a vector with length ${vector.length}. Existing nodes have vectors with length ${neighbour.length}: vector dimensions do not match the index dimensions`,
    );
  }
}

function store(
  database: Database,
  definition: ClassDefinition,
  object: {
    tenant: string | undefined;
    id: string;
    properties: Record<string, unknown>;
    vectors: Vectors;
    createdAt: number;
    updatedAt: number;
  },
): StoredObject {
  const { tenant, id, vectors, ...content } = object;
  return database.put(definition.class, tenant, id, { ...content, vectors: [...vectors] });
}
