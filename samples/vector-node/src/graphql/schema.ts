import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  GraphQLString,
  Kind,
} from 'graphql';
import { type ClassDefinition, isMultiTenant } from '../definition.ts';
import { unprocessable } from '../errors.ts';
import { type Limits, runGet } from '../search/get.ts';
import { runAggregate } from '../search/run-aggregate.ts';
import type { Database } from '../store/database.ts';
import { aggregateType } from './aggregate-type.ts';
import { beaconType, objectType } from './object-type.ts';
import { searchArguments, sharedSearchTypes } from './search-arguments.ts';
import { whereInput } from './where-input.ts';

type Fields = Record<string, GraphQLFieldConfig<unknown, unknown>>;

/** `Get` and `Aggregate` over the current collections, with Weaviate's type names. */
export function buildGraphqlSchema(database: Database, limits: Limits): GraphQLSchema {
  const definitions = database.schema.all();
  const types = new Map<string, GraphQLObjectType>();
  const known = { get: (name: string) => types.get(name), beacon: beaconType() };
  for (const definition of definitions) types.set(definition.class, objectType(definition, known, database));
  const shared = sharedSearchTypes();
  const get: Fields = {};
  const aggregate: Fields = {};
  for (const definition of definitions) {
    get[definition.class] = {
      type: new GraphQLList(types.get(definition.class) as GraphQLObjectType),
      description: definition.description ?? '',
      args: { ...getArguments(definition), ...searchArguments(definition, shared) },
      resolve: (_source, input, _context, info) => {
        refuseFragments(info);
        return runGet(database, definition, present(input), limits);
      },
    };
    aggregate[definition.class] = aggregateField(database, definition);
  }
  const root = (name: string, fields: Fields) => ({
    type: new GraphQLObjectType({ name, fields }),
    resolve: () => ({}),
  });
  return new GraphQLSchema({
    // The name of a property may begin with two underscores. graphql's own check would then refuse the whole schema.
    assumeValid: true,
    query: new GraphQLObjectType({
      name: 'WeaviateObj',
      fields: { Get: root('GetObjectsObj', get), Aggregate: root('AggregateObjectsObj', aggregate) },
    }),
  });
}

function getArguments(definition: ClassDefinition): GraphQLFieldConfigArgumentMap {
  const prefix = `GetObjects${definition.class}`;
  const order = new GraphQLEnumType({ name: `${prefix}SortInpObjTypeEnum`, values: { asc: {}, desc: {} } });
  const sort = new GraphQLInputObjectType({
    name: `${prefix}SortInpObj`,
    fields: { path: { type: new GraphQLList(GraphQLString) }, order: { type: order } },
  });
  const groupBy = new GraphQLInputObjectType({
    name: `${prefix}GroupByInpObj`,
    fields: {
      path: { type: new GraphQLList(GraphQLString) },
      groups: { type: GraphQLInt },
      objectsPerGroup: { type: GraphQLInt },
    },
  });
  return {
    where: { type: whereInput('GetObjects', definition.class) },
    sort: { type: new GraphQLList(sort) },
    limit: { type: GraphQLInt },
    offset: { type: GraphQLInt },
    after: { type: GraphQLString },
    autocut: { type: GraphQLInt },
    groupBy: { type: groupBy },
    ...(isMultiTenant(definition) && { tenant: { type: GraphQLString } }),
  };
}

function aggregateField(
  database: Database,
  definition: ClassDefinition,
): GraphQLFieldConfig<unknown, unknown> {
  return {
    type: new GraphQLList(aggregateType(definition)),
    args: {
      where: { type: whereInput('AggregateObjects', definition.class) },
      groupBy: { type: new GraphQLList(GraphQLString) },
      limit: { type: GraphQLInt },
      ...(isMultiTenant(definition) && { tenant: { type: GraphQLString } }),
    },
    resolve: (_source, input) => runAggregate(database, definition, present(input)),
  };
}

/** A null argument counts as absent. */
function present(input: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** In `Get`, Weaviate refuses a fragment directly in the selection of a collection. */
function refuseFragments(info: GraphQLResolveInfo): void {
  for (const { selectionSet } of info.fieldNodes) {
    for (const { kind } of selectionSet?.selections ?? []) {
      if (kind === Kind.FIELD) continue;
      throw unprocessable(`interface conversion: ast.Selection is *ast.${kind}, not *ast.Field`);
    }
  }
}
