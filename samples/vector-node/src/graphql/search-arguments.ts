import {
  GraphQLEnumType,
  type GraphQLFieldConfigArgumentMap,
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLString,
} from 'graphql';
import type { ClassDefinition } from '../definition.ts';
import { hasTextModule } from '../search/search.ts';
import { vectorScalar } from './scalars.ts';

const floats = { type: GraphQLFloat };
const strings = { type: new GraphQLList(GraphQLString) };

/** Shared by all collections of one schema. */
export function fusionEnum(): GraphQLEnumType {
  return new GraphQLEnumType({
    name: 'FusionEnum',
    values: { relativeScoreFusion: {}, rankedFusion: {} },
  });
}

/** `nearText` is there with a text module only. */
export function searchArguments(
  definition: ClassDefinition,
  fusion: GraphQLEnumType,
): GraphQLFieldConfigArgumentMap {
  const prefix = `GetObjects${definition.class}`;
  const bounds = { distance: floats, certainty: floats, targetVectors: strings };
  const input = (
    name: string,
    fields: ConstructorParameters<typeof GraphQLInputObjectType>[0]['fields'],
  ) => ({
    type: new GraphQLInputObjectType({ name: `${prefix}${name}InpObj`, fields }),
  });
  return {
    nearVector: input('NearVector', {
      vector: { type: vectorScalar(`${prefix}NearVectorVectorScalar`) },
      ...bounds,
    }),
    nearObject: input('NearObject', {
      id: { type: GraphQLString },
      beacon: { type: GraphQLString },
      ...bounds,
    }),
    bm25: input('HybridGetBm25', { query: { type: GraphQLString }, properties: strings }),
    hybrid: input('Hybrid', {
      query: { type: GraphQLString },
      alpha: floats,
      vector: { type: new GraphQLList(GraphQLFloat) },
      properties: strings,
      targetVectors: strings,
      fusionType: { type: fusion },
      maxVectorDistance: floats,
    }),
    ...(hasTextModule(definition) && {
      nearText: input('NearText', {
        concepts: strings,
        ...bounds,
        moveTo: movement(`${prefix}NearTextMoveTo`),
        moveAwayFrom: movement(`${prefix}NearTextMoveAwayFrom`),
      }),
    }),
  };
}

function movement(name: string) {
  const objects = new GraphQLInputObjectType({
    name: `${name}MovementObjectsInpObj`,
    fields: { id: { type: GraphQLString }, beacon: { type: GraphQLString } },
  });
  const fields = { concepts: strings, force: floats, objects: { type: new GraphQLList(objects) } };
  return { type: new GraphQLInputObjectType({ name, fields }) };
}
