import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
  GraphQLUnionType,
} from 'graphql';
import { type ClassDefinition, kindOf, type PropertyDefinition } from '../definition.ts';
import type { Hit } from '../search/hit.ts';
import type { Database } from '../store/database.ts';
import { referenceTargets } from '../store/references.ts';
import { additionalType } from './additional-type.ts';

/** The types of all collections. They may refer to each other. */
interface ObjectTypes {
  get(className: string): GraphQLObjectType | undefined;
  beacon: GraphQLObjectType;
}

export function objectType(
  definition: ClassDefinition,
  types: ObjectTypes,
  database: Database,
): GraphQLObjectType {
  return new GraphQLObjectType({
    name: definition.class,
    description: definition.description ?? '',
    fields: () => {
      const properties = Object.fromEntries(
        (definition.properties ?? []).map((property) => [
          property.name,
          propertyField(definition, property, types, database),
        ]),
      );
      return {
        ...properties,
        _additional: { type: additionalType(definition, properties), resolve: (hit: Hit) => hit },
      };
    },
  });
}

export function beaconType(): GraphQLObjectType {
  return new GraphQLObjectType({ name: 'Beacon', fields: { beacon: { type: GraphQLString } } });
}

function propertyField(
  definition: ClassDefinition,
  property: PropertyDefinition,
  types: ObjectTypes,
  database: Database,
): GraphQLFieldConfig<Hit, unknown> {
  const description = property.description ?? '';
  if (kindOf(property).element === 'reference') {
    return {
      description,
      type: new GraphQLList(referenceUnion(definition, property, types)),
      resolve: ({ object }) =>
        object.read(property.name) === undefined
          ? null
          : referenceTargets(database, object, property).map((target) => ({ object: target })),
    };
  }
  const type = valueType(`${definition.class}_${property.name}`, definition.class, property);
  return { description, type, resolve: (hit) => answerValue(hit.object.read(property.name), property) };
}

function referenceUnion(
  definition: ClassDefinition,
  property: PropertyDefinition,
  types: ObjectTypes,
): GraphQLUnionType {
  const targets = property.dataType.flatMap((name) => types.get(name) ?? []);
  const name = property.name.charAt(0).toUpperCase() + property.name.slice(1);
  return new GraphQLUnionType({
    name: `${definition.class}${name}Obj`,
    types: [...targets, types.beacon],
    resolveType: (hit: Hit) => hit.object.className,
  });
}

function valueType(path: string, prefix: string, property: PropertyDefinition): GraphQLOutputType {
  const { element, isArray } = kindOf(property);
  const type = elementType(element, path, prefix, property);
  return isArray ? new GraphQLList(type) : type;
}

function elementType(
  element: string,
  path: string,
  prefix: string,
  property: PropertyDefinition,
): GraphQLOutputType {
  switch (element) {
    case 'int':
      return GraphQLInt;
    case 'number':
      return GraphQLFloat;
    case 'boolean':
      return GraphQLBoolean;
    case 'geoCoordinates':
      return new GraphQLObjectType({
        name: `${prefix}${property.name}GeoCoordinatesObj`,
        fields: { latitude: { type: GraphQLFloat }, longitude: { type: GraphQLFloat } },
      });
    case 'phoneNumber':
      return phoneType(`${prefix}${property.name}PhoneNumberObj`);
    case 'object':
      return new GraphQLObjectType({
        name: `${path}_object`,
        fields: Object.fromEntries(
          (property.nestedProperties ?? []).map((nested) => [nested.name, nestedField(path, nested)]),
        ),
      });
    default:
      return GraphQLString;
  }
}

function nestedField(path: string, nested: PropertyDefinition): GraphQLFieldConfig<object, unknown> {
  return {
    type: valueType(`${path}_${nested.name}`, `${path}_`, nested),
    resolve: (value) =>
      answerValue(Object.hasOwn(value, nested.name) ? Reflect.get(value, nested.name) : undefined, nested),
  };
}

function phoneType(name: string): GraphQLObjectType {
  const texts = ['input', 'defaultCountry', 'internationalFormatted', 'nationalFormatted'];
  const numbers = ['countryCode', 'national'];
  const fields: GraphQLFieldConfigMap<Record<string, unknown>, unknown> = { valid: { type: GraphQLBoolean } };
  for (const field of texts) fields[field] = { type: GraphQLString };
  for (const field of numbers) fields[field] = { type: GraphQLInt, resolve: (phone) => int32(phone[field]) };
  return new GraphQLObjectType({ name, fields });
}

function answerValue(value: unknown, property: PropertyDefinition): unknown {
  if (value === undefined) return null;
  if (kindOf(property).element !== 'int') return value;
  return Array.isArray(value) ? value.map(int32) : int32(value);
}

/** For a value outside GraphQL's 32-bit `Int`, Weaviate answers null without an error. */
function int32(value: unknown): number | null {
  return typeof value === 'number' && value >= -(2 ** 31) && value < 2 ** 31 ? value : null;
}
