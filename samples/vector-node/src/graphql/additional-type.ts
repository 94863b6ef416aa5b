import {
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  GraphQLList,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import { type ClassDefinition, unnamedVector } from '../definition.ts';
import type { Hit } from '../search/hit.ts';
import { vectorScalar } from './scalars.ts';

export function additionalType(definition: ClassDefinition): GraphQLObjectType {
  const fields: GraphQLFieldConfigMap<Hit, unknown> = {
    id: { type: GraphQLString, resolve: ({ object }) => object.id },
    vector: {
      type: new GraphQLList(GraphQLFloat),
      resolve: ({ object }) => object.vectors.get(unnamedVector) ?? [],
    },
    distance: { type: GraphQLFloat, resolve: ({ distance }) => distance ?? null },
    certainty: { type: GraphQLFloat, resolve: ({ certainty }) => certainty ?? null },
    score: { type: GraphQLString, resolve: ({ score }) => String(score ?? 0) },
    explainScore: { type: GraphQLString, resolve: ({ explainScore }) => explainScore ?? '' },
    creationTimeUnix: { type: GraphQLString, resolve: ({ object }) => String(object.createdAt) },
    lastUpdateTimeUnix: { type: GraphQLString, resolve: ({ object }) => String(object.updatedAt) },
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
