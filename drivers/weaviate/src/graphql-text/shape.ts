import { type Json, ownValue } from '@trestle/driver-kit';
import type { MetadataResult, PropertiesResult } from '@trestle/weaviate-connect';
import { isRecord } from '../answer-shape.ts';
import type { Collection } from '../schema.ts';
import { factOf } from './metadata.ts';
import type { Selected } from './read-fields.ts';
import { propertiesOf } from './read-values.ts';
import { isAdditional } from './selection.ts';

/** Connect sends every integer from 2^63 on as this one, and GraphQL sends null. */
const overflow = -(2 ** 63);

/** The properties of an object in one answer of each round. */
export interface ReadObject {
  /** Of the first round. */
  properties: PropertiesResult | undefined;
  metadata: MetadataResult;
  further: (PropertiesResult | undefined)[];
}

/** Members of `_additional` that are no facts about the object, such as `group`. */
export type OtherMembers = (member: Selected) => Json;

export function shapeObject(
  fields: Selected[],
  collection: Collection,
  { properties, metadata, further }: ReadObject,
  other: OtherMembers = () => null,
): Json {
  const values = properties?.nonRefProps ? propertiesOf(properties.nonRefProps) : {};
  const parts = [properties, ...further];
  return Object.fromEntries(
    fields.map((field): [string, Json] => {
      if (field.name === '__typename') return [field.key, collection.name];
      if (isAdditional(field)) return [field.key, additional(field, metadata, other)];
      const property = collection.properties.find(({ name }) => name === field.name)!;
      if (property.elementType === 'reference') return [field.key, references(field, parts)];
      return [field.key, cut(ownValue(values, field.name), field.fields)];
    }),
  );
}

function additional({ fields }: Selected, metadata: MetadataResult, other: OtherMembers): Json {
  return Object.fromEntries(
    fields.map((member) => [member.key, factOf(member, metadata) ?? other(member)] as const),
  );
}

/** Only the members that the query selects. One without a value is null. */
function cut(value: Json | undefined, fields: Selected[]): Json {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map((one) => cut(one, fields));
  if (value === overflow) return null;
  if (!isRecord(value) || fields.length === 0) return value;
  return Object.fromEntries(
    fields.map((field) => [field.key, cut(ownValue(value, field.name), field.fields)] as const),
  );
}

function references(field: Selected, parts: (PropertiesResult | undefined)[]): Json {
  const found = parts.flatMap((part) => {
    const answers = part?.refProps.filter(({ propName }) => propName === field.name) ?? [];
    return answers.flatMap(({ properties }) => properties);
  });
  const objects = found.flatMap((target): Json[] => {
    const fields = field.fields.filter(({ type }) => type === target.targetCollection);
    return target.metadata ? [referenced(fields, target, target.metadata)] : [];
  });
  return objects.length > 0 ? objects : null;
}

function referenced(fields: Selected[], target: PropertiesResult, metadata: MetadataResult): Json {
  const values = target.nonRefProps ? propertiesOf(target.nonRefProps) : {};
  return Object.fromEntries(
    fields.map((field): [string, Json] => {
      if (field.name === '__typename') return [field.key, target.targetCollection];
      if (isAdditional(field)) return [field.key, additional(field, metadata, () => null)];
      const isReference = target.refProps.some(({ propName }) => propName === field.name);
      if (isReference) return [field.key, references(field, [target])];
      return [field.key, cut(ownValue(values, field.name), field.fields)];
    }),
  );
}

/** A row of a search with `groupBy`: all that GraphQL sends is in `group`. */
export function shapeGroup(fields: Selected[], collection: Collection, group: OtherMembers): Json {
  return Object.fromEntries(
    fields.map((field): [string, Json] => {
      if (field.name === '__typename') return [field.key, collection.name];
      if (!isAdditional(field)) return [field.key, null];
      return [
        field.key,
        Object.fromEntries(
          field.fields.map((member) => [member.key, member.name === 'group' ? group(member) : null] as const),
        ),
      ];
    }),
  );
}
