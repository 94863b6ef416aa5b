import {
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import { type ClassDefinition, unnamedVector } from '../definition.ts';
import type { Hit, HitGroup } from '../search/hit.ts';
import { vectorScalar } from './scalars.ts';

/** `properties`: the fields of the collection. The hits of a group have them too. */
export function additionalType(
  definition: ClassDefinition,
  properties: GraphQLFieldConfigMap<Hit, unknown>,
): GraphQLObjectType {
  const fields: GraphQLFieldConfigMap<Hit, unknown> = {
    id: { type: GraphQLString, resolve: ({ object }) => object.id },
    vector: {
      type: new GraphQLList(GraphQLFloat),
      resolve: ({ object }) => (definition.vectorConfig ? [] : (object.vectors.get(unnamedVector) ?? [])),
    },
    distance: { type: GraphQLFloat, resolve: ({ distance }) => distance ?? null },
    certainty: { type: GraphQLFloat, resolve: ({ certainty }) => certainty ?? null },
    score: { type: GraphQLString, resolve: ({ score }) => String(score ?? 0) },
    explainScore: { type: GraphQLString, resolve: ({ explainScore }) => explainScore ?? '' },
    creationTimeUnix: { type: GraphQLString, resolve: ({ object }) => String(object.createdAt) },
    lastUpdateTimeUnix: { type: GraphQLString, resolve: ({ object }) => String(object.updatedAt) },
    group: { type: groupType(definition, properties), resolve: ({ group }) => group ?? null },
  };
  if (definition.vectorConfig) {
    fields.vectors = { type: vectorsType(definition), resolve: (hit) => hit };
  }
  return new GraphQLObjectType({ name: `${definition.class}Additional`, fields });
}

function vectorsType(definition: ClassDefinition): GraphQLObjectType {
  const fields: GraphQLFieldConfigMap<Hit, unknown> = {};
  for (const name of Object.keys(definition.vectorConfig ?? {})) {
    fields[name] = {
      type: vectorScalar(`${definition.class}${name}NearVectorVectorScalar`),
      resolve: ({ object }) => object.vectors.get(name) ?? null,
    };
  }
  return new GraphQLObjectType({ name: `${definition.class}AdditionalVectors`, fields });
}

/** Hits of a group have a distance and no score, as in Weaviate. After a keyword or hybrid search the distance is 0. */
function groupType(
  definition: ClassDefinition,
  properties: GraphQLFieldConfigMap<Hit, unknown>,
): GraphQLObjectType {
  const name = `${definition.class}AdditionalGroup`;
  const additional = new GraphQLObjectType<Hit>({
    name: `${name}HitsAdditional`,
    fields: {
      id: { type: GraphQLString, resolve: ({ object }) => object.id },
      distance: { type: GraphQLFloat, resolve: ({ distance }) => distance ?? 0 },
    },
  });
  const hit = new GraphQLObjectType<Hit>({
    name: `${name}Hits`,
    fields: { ...properties, _additional: { type: additional, resolve: (one) => one } },
  });
  const groupedBy = new GraphQLObjectType<HitGroup>({
    name: `${name}GroupedBy`,
    fields: { value: { type: GraphQLString }, path: { type: new GraphQLList(GraphQLString) } },
  });
  return new GraphQLObjectType<HitGroup>({
    name,
    fields: {
      id: { type: GraphQLInt },
      count: { type: GraphQLInt, resolve: ({ hits }) => hits.length },
      minDistance: { type: GraphQLFloat },
      maxDistance: { type: GraphQLFloat },
      groupedBy: { type: groupedBy, resolve: (group) => group },
      hits: { type: new GraphQLList(hit) },
    },
  });
}
