import type {
  MessageInitShape,
  MetadataRequest,
  MetadataResultSchema,
  ObjectPropertiesRequest,
  PropertiesRequest,
  PropertiesResult,
  PropertiesResultSchema,
  RefPropertiesRequest,
} from '@trestle/weaviate-connect';
import { type ClassDefinition, findProperty, kindOf, type PropertyDefinition } from '../definition.ts';
import { noSuchProperty, unprocessable } from '../errors.ts';
import type { Hit } from '../search/hit.ts';
import type { Database } from '../store/database.ts';
import { referenceTargets } from '../store/references.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { type Members, setField, type ValueInit, valueMessage } from './values.ts';

type PropertiesInit = Exclude<MessageInitShape<typeof PropertiesResultSchema>, PropertiesResult>;

interface Place {
  database: Database;
  metadataOf(
    hit: Hit,
    asked: MetadataRequest | undefined,
    definition: ClassDefinition,
  ): MessageInitShape<typeof MetadataResultSchema>;
}

/** Reads the selected properties of an object. `extra` is one more property. */
type Select = (object: StoredObject, extra?: PropertyDefinition) => PropertiesInit;

/** Refuses a selection that does not match the schema. Without one, an answer has all but the references and blobs. */
export function selectProperties(
  asked: PropertiesRequest | undefined,
  definition: ClassDefinition,
  place: Place,
): Select {
  const isAll = asked === undefined || asked.returnAllNonrefProperties;
  const properties = isAll ? plainProperties(definition) : namedProperties(asked, definition);
  const references = (asked?.refProperties ?? []).map((one) => selectReference(one, definition, place));
  return (object, extra) => {
    const fields: Record<string, ValueInit> = {};
    for (const { property, members } of extra ? [...properties, { property: extra }] : properties) {
      setField(fields, property.name, valueMessage(object.read(property.name), property, members));
    }
    return {
      targetCollection: definition.class,
      refPropsRequested: references.length > 0,
      refProps: references.flatMap((read) => read(object) ?? []),
      ...((properties.length > 0 || extra) && { nonRefProps: { fields } }),
    };
  };
}

interface Selected {
  property: PropertyDefinition;
  members?: Members;
}

function plainProperties({ properties }: ClassDefinition): Selected[] {
  return (properties ?? [])
    .filter((property) => !['reference', 'blob'].includes(kindOf(property).element))
    .map((property) => ({ property }));
}

function namedProperties(
  { nonRefProperties, objectProperties }: PropertiesRequest,
  definition: ClassDefinition,
): Selected[] {
  return [
    ...nonRefProperties.map((name) => ({ property: requireProperty(name, definition) })),
    ...objectProperties.map((one) => ({
      property: requireProperty(one.propName, definition),
      members: membersOf(one),
    })),
  ];
}

function requireProperty(name: string, definition: ClassDefinition): PropertyDefinition {
  const property = findProperty(definition, name);
  if (property) return property;
  throw unprocessable(
    `extract properties request: get property by name ${name} for class ${definition.class}: ${noSuchProperty(name, definition.class)}`,
  );
}

function membersOf({ primitiveProperties, objectProperties }: ObjectPropertiesRequest): Members {
  return new Map([
    ...primitiveProperties.map((name) => [name, undefined] as const),
    ...objectProperties.map((one) => [one.propName, membersOf(one)] as const),
  ]);
}

/** The targets of one reference in one collection. Undefined for an object without such a target. */
function selectReference(asked: RefPropertiesRequest, definition: ClassDefinition, place: Place) {
  const property = requireProperty(asked.referenceProperty, definition);
  const [first = ''] = property.dataType;
  if (asked.targetCollection === '' && property.dataType.length > 1) {
    throw unprocessable(
      `extract properties request: multi target references from collection ${definition.class} and property ${property.name} with need an explicitlinked collection. Available linked collections are [${property.dataType.join(' ')}]`,
    );
  }
  const target = place.database.schema.find(asked.targetCollection || first);
  if (!target) throw unprocessable(`could not find class ${asked.targetCollection || first} in schema`);
  const select = selectProperties(asked.properties, target, place);
  return (object: StoredObject) => {
    const targets = referenceTargets(place.database, object, property);
    const own = targets.filter(({ className }) => className === target.class);
    if (own.length === 0) return undefined;
    const properties = own.map((one) => ({
      ...select(one),
      metadata: place.metadataOf({ object: one }, asked.metadata, target),
    }));
    return { propName: property.name, properties };
  };
}
