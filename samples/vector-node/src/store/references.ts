import { findProperty, kindOf, type PropertyDefinition } from '../definition.ts';
import { malformed, noSuchProperty, notFound, ServerError, unprocessable } from '../errors.ts';
import { type BeaconTarget, beaconOf, readBeacon } from './beacon.ts';
import type { Database } from './database.ts';
import type { Reference, StoredObject } from './stored-object.ts';
import { isMap } from './value-check.ts';

/** The stored form of references. Refuses a reference whose target does not exist. */
export function checkReferences(
  database: Database,
  className: string,
  property: PropertyDefinition,
  value: unknown,
): Reference[] {
  if (!Array.isArray(value))
    throw unprocessable(`invalid object: reference property is not a slice ${value}`);
  return value.map((one) => {
    const target = targetOf(one, property);
    if (!findTarget(database, target.className, target.id)) {
      throw unprocessable(
        `invalid object: invalid cref: 'cref' ${className}:${property.name}: no object with id ${target.id} found`,
      );
    }
    return { beacon: beaconOf(target.className, target.id) };
  });
}

function targetOf(one: unknown, property: PropertyDefinition): Required<BeaconTarget> {
  const beacon = isMap(one) ? one.beacon : undefined;
  if (typeof beacon !== 'string') {
    throw unprocessable(`invalid object: beacon property is not a string: ${beacon ?? '<nil>'}`);
  }
  const target = readBeacon(beacon);
  if (target) return { className: property.dataType[0] ?? '', ...target };
  const last = beacon.split('/').at(-1);
  throw unprocessable(`invalid object: invalid cref URI: 2nd path segment must be uuid, but got '${last}'`);
}

/** The object with this id in the collection, in any of its tenants. */
export function findTarget(database: Database, className: string, id: string): StoredObject | undefined {
  const definition = database.schema.find(className);
  if (!definition) return undefined;
  const plain = database.objects.get(definition.class, undefined, id);
  if (plain || !definition.multiTenancyConfig?.enabled) return plain;
  const tenants = [...database.schema.tenants(definition.class).keys()];
  return tenants.map((tenant) => database.objects.get(definition.class, tenant, id)).find((one) => one);
}

/** The objects that a reference of this object points to. A deleted target is left out. */
export function referenceTargets(
  database: Database,
  object: StoredObject,
  property: PropertyDefinition,
): StoredObject[] {
  return (object.elements(property.name) as Reference[]).flatMap(({ beacon }) => {
    const target = readBeacon(beacon);
    return (target && findTarget(database, target.className ?? property.dataType[0] ?? '', target.id)) ?? [];
  });
}

export type ReferenceEdit = 'add' | 'remove' | 'replace';

export function editReferences(
  database: Database,
  at: { className: string; id: string; property: string; tenant?: string },
  edit: ReferenceEdit,
  body: unknown,
): void {
  const definition = database.schema.get(at.className);
  const property = findProperty(definition, at.property);
  if (!property) {
    throw unprocessable(`msg:validate inputs code:400 err:${noSuchProperty(at.property, definition.class)}`);
  }
  if (kindOf(property).element !== 'reference') {
    throw unprocessable(
      `msg:validate inputs code:400 err:property '${property.name}' is not a reference-type`,
    );
  }
  const refusal = database.schema.tenantRefusal(definition, at.tenant);
  if (refusal) throw unprocessable(`msg:repo.object code:422 err:${refusal}`);
  const object = database.objects.get(definition.class, at.tenant, at.id);
  if (!object) throw notFound();
  const current = object.elements(property.name) as Reference[];
  const given = readBody(edit, body).map((one) => requireUri(one));
  // A removal does not check the target, because the target may have been deleted.
  const references =
    edit === 'remove'
      ? given
          .map((one) => targetOf(one, property))
          .map(({ className, id }) => ({ beacon: beaconOf(className, id) }))
      : checkReferences(database, definition.class, property, given);
  database.put(definition.class, at.tenant, object.id, {
    properties: { ...object.properties, [property.name]: edited(edit, current, references) },
    vectors: [...object.vectors],
    createdAt: object.createdAt,
    updatedAt: Date.now(),
  });
}

function edited(edit: ReferenceEdit, current: Reference[], given: Reference[]): Reference[] {
  if (edit === 'replace') return given;
  if (edit === 'add') return [...current, ...given];
  return current.filter(({ beacon }) => !given.some((one) => one.beacon === beacon));
}

function readBody(edit: ReferenceEdit, body: unknown): unknown[] {
  if (edit !== 'replace') return [body];
  if (!Array.isArray(body)) throw new ServerError(400, 'parsing body body failed', { shape: 'coded' });
  return body;
}

function requireUri(one: unknown): unknown {
  const beacon = isMap(one) ? one.beacon : undefined;
  if (typeof beacon !== 'string' || !URL.canParse(beacon)) {
    throw malformed(`beacon in body must be of type uri: ${JSON.stringify(beacon ?? '')}`);
  }
  return one;
}
