import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql';
import { type ClassDefinition, kindOf, type PropertyDefinition } from '../definition.ts';
import { unprocessable } from '../errors.ts';
import {
  booleanSummary,
  dateSummary,
  type Group,
  numericSummary,
  topOccurrences,
  valuesOf,
} from '../search/aggregate.ts';

/** As in Weaviate, uuid, geo, phone and object properties have no summary. */
export function aggregateType(definition: ClassDefinition): GraphQLObjectType {
  const prefix = `Aggregate${definition.class}`;
  const fields: GraphQLFieldConfigMap<Group, unknown> = {
    meta: {
      type: plainType(`${prefix}MetaObject`, { count: GraphQLInt }),
      resolve: ({ objects }) => ({ count: objects.length }),
    },
    groupedBy: {
      type: plainType(`${prefix}GroupedByObj`, {
        path: new GraphQLList(GraphQLString),
        value: GraphQLString,
      }),
    },
  };
  for (const property of definition.properties ?? []) {
    const field = summaryField(`${prefix}${property.name}`, property);
    if (field) fields[property.name] = field;
  }
  return new GraphQLObjectType({ name: prefix, fields });
}

function summaryField(
  prefix: string,
  property: PropertyDefinition,
): GraphQLFieldConfig<Group, unknown> | null {
  const type = property.dataType[0] ?? '';
  const name = `${prefix}Obj`;
  switch (kindOf(property).element) {
    case 'int':
    case 'number': {
      const floats = named(['minimum', 'maximum', 'mean', 'median', 'mode', 'sum'], GraphQLFloat);
      return {
        type: plainType(name, { count: GraphQLInt, type: GraphQLString, ...floats }),
        resolve: ({ objects }) => ({ ...numericSummary(objects, property), type }),
      };
    }
    case 'date':
      return {
        type: plainType(name, {
          count: GraphQLInt,
          ...named(['minimum', 'maximum', 'median', 'mode'], GraphQLString),
        }),
        resolve: ({ objects }) => dateSummary(objects, property),
      };
    case 'boolean':
      return {
        type: plainType(name, {
          type: GraphQLString,
          ...named(['count', 'totalTrue', 'totalFalse'], GraphQLInt),
          ...named(['percentageTrue', 'percentageFalse'], GraphQLFloat),
        }),
        resolve: ({ objects }) => ({ ...booleanSummary(objects, property), type }),
      };
    case 'text':
      return { type: textType(prefix, property), resolve: (group) => group };
    case 'blob':
      return {
        type: textType(prefix, property),
        resolve: () => {
          throw unprocessable(`aggregate properties: property ${property.name}: unrecoginzed dataType blob`);
        },
      };
    case 'reference':
      return {
        type: plainType(name, { type: GraphQLString, pointingTo: new GraphQLList(GraphQLString) }),
        resolve: () => ({ type: 'cref', pointingTo: property.dataType }),
      };
    default:
      return null;
  }
}

function textType(prefix: string, property: PropertyDefinition): GraphQLObjectType {
  const occurrence = plainType(`${prefix}TopOccurrencesObj`, { value: GraphQLString, occurs: GraphQLInt });
  const fields: GraphQLFieldConfigMap<Group, unknown> = {
    count: { type: GraphQLInt, resolve: ({ objects }) => valuesOf(objects, property).length },
    type: { type: GraphQLString, resolve: () => property.dataType[0] },
    topOccurrences: {
      type: new GraphQLList(occurrence),
      args: { limit: { type: GraphQLInt } },
      resolve: ({ objects }, { limit }) => topOccurrences(objects, property, limit as number | undefined),
    },
  };
  return new GraphQLObjectType({ name: `${prefix}Obj`, fields });
}

function plainType(name: string, types: Record<string, GraphQLOutputType>): GraphQLObjectType {
  const fields = Object.fromEntries(Object.entries(types).map(([field, type]) => [field, { type }]));
  return new GraphQLObjectType({ name, fields });
}

function named(names: string[], type: GraphQLOutputType): Record<string, GraphQLOutputType> {
  return Object.fromEntries(names.map((name) => [name, type]));
}
