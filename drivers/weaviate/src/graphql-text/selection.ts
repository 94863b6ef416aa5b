import type { MessageInitShape, PropertiesRequestSchema } from '@trestle/weaviate-connect';
import { type Collection, findCollection, type Property } from '../schema.ts';
import { metadataOf } from './metadata.ts';
import { assertNoArguments, type Selected } from './read-fields.ts';
import { mistake, noCounterpart, noProperty } from './refusal.ts';

export type PropertiesInit = Exclude<MessageInitShape<typeof PropertiesRequestSchema>, { $typeName: string }>;

/** The properties that a query selects of one collection, as requests. */
export interface Selection {
  /** The properties of the request of a round. Round 1 reads the second target collection of each reference. */
  properties(round: number): PropertiesInit;
  rounds: number;
}

const additionalName = '_additional';

export function isAdditional({ name }: Selected): boolean {
  return name === additionalName;
}

export function readSelection(fields: Selected[], collection: Collection, all: Collection[]): Selection {
  for (const { type } of fields) {
    if (type !== undefined && type !== collection.name)
      throw mistake(`A fragment on ${type} stands in ${collection.name}`);
  }
  const plain = new Set<string>();
  const objects: ObjectSelection[] = [];
  const references: ReferenceSelection[] = [];
  for (const field of fields) {
    if (isAdditional(field) || field.name === '__typename') continue;
    assertNoArguments(field);
    const property = findProperty(collection.properties, field.name, collection.name);
    if (property.elementType === 'reference') references.push(readReference(field, property, all));
    else if (property.elementType === 'object') objects.push(readObject(field, property));
    else {
      assertMembers(field, property);
      plain.add(property.name);
    }
  }
  assertOnce(references);
  return {
    rounds: Math.max(1, ...references.map(({ targets }) => targets.length)),
    properties: (round) => ({
      nonRefProperties: round === 0 ? [...plain] : [],
      objectProperties: round === 0 ? objects : [],
      refProperties: references.flatMap(({ name, targets }) => {
        const target = targets[round];
        if (!target) return [];
        return [
          {
            referenceProperty: name,
            targetCollection: target.collection,
            metadata: target.metadata,
            properties: target.selection.properties(0),
          },
        ];
      }),
    }),
  };
}

function findProperty(properties: Property[], name: string, of: string): Property {
  const found = properties.find((one) => one.name === name);
  if (!found) throw noProperty(of, name, properties);
  return found;
}

/** Members that GraphQL has for a type of property. */
const typeMembers: { [type: string]: string[] } = {
  geoCoordinates: ['latitude', 'longitude'],
  phoneNumber: [
    ...['input', 'defaultCountry', 'internationalFormatted', 'countryCode'],
    ...['national', 'nationalFormatted', 'valid'],
  ],
};

function assertMembers(field: Selected, { elementType }: Property): void {
  const members = Object.hasOwn(typeMembers, elementType) ? typeMembers[elementType]! : [];
  if (members.length > 0 && field.fields.length === 0) throw mistake(`"${field.name}" needs members`);
  for (const inner of field.fields) {
    assertNoArguments(inner);
    if (!members.includes(inner.name) || inner.fields.length > 0)
      throw mistake(`"${field.name}" has no member "${inner.name}"`);
  }
}

interface ObjectSelection {
  propName: string;
  primitiveProperties: string[];
  objectProperties: ObjectSelection[];
}

function readObject(field: Selected, { name, nested }: Property): ObjectSelection {
  const found: ObjectSelection = { propName: name, primitiveProperties: [], objectProperties: [] };
  if (field.fields.length === 0) throw mistake(`"${field.name}" needs members`);
  for (const inner of field.fields) {
    assertNoArguments(inner);
    const property = findProperty(nested, inner.name, `The object "${field.name}"`);
    if (property.elementType === 'object') found.objectProperties.push(readObject(inner, property));
    else {
      assertMembers(inner, property);
      found.primitiveProperties.push(property.name);
    }
  }
  return found;
}

interface ReferenceSelection {
  name: string;
  targets: { collection: string; metadata: ReturnType<typeof metadataOf>; selection: Selection }[];
}

/** Each fragment of the field selects one target collection. */
function readReference(field: Selected, property: Property, all: Collection[]): ReferenceSelection {
  const { name } = property;
  const groups = Map.groupBy(field.fields, ({ type }) => type);
  if (groups.has(undefined) || groups.size === 0)
    throw mistake(
      `"${name}" is a reference: select its members in fragments, such as ... on ${property.references[0]} { … }`,
    );
  const targets = [...groups].map(([type, fields]) => {
    const target = findCollection(all, type!);
    if (!property.references.includes(target.name))
      throw mistake(`"${name}" does not point to ${target.name}`);
    const selection = readSelection(fields, target, all);
    if (selection.rounds > 1)
      throw noCounterpart(`A reference to several collections inside the reference "${name}"`);
    return { collection: target.name, metadata: metadataOf(fields.filter(isAdditional)), selection };
  });
  return { name, targets };
}

/** Connect answers one selection of each reference. */
function assertOnce(references: ReferenceSelection[]): void {
  const names = references.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw noCounterpart(`The reference "${twice}" selected twice`);
}
