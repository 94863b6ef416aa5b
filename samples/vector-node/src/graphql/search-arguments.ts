import {
  GraphQLEnumType,
  type GraphQLFieldConfigArgumentMap,
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLString,
} from 'graphql';
import type { ClassDefinition } from '../definition.ts';
import { hasTextModule } from '../search/search.ts';
import { vectorScalar, weightsScalar } from './scalars.ts';

const floats = { type: GraphQLFloat };
const strings = { type: new GraphQLList(GraphQLString) };

/** Types that all collections of one schema share. */
export function sharedSearchTypes() {
  const fusion = new GraphQLEnumType({
    name: 'FusionEnum',
    values: { relativeScoreFusion: {}, rankedFusion: {} },
  });
  const combination = new GraphQLEnumType({
    name: 'targetCombinationEnum',
    values: { minimum: {}, average: {}, sum: {}, manualWeights: {}, relativeScore: {} },
  });
  return { fusion, combination, weights: weightsScalar() };
}

type SharedSearchTypes = ReturnType<typeof sharedSearchTypes>;

/** `nearText` exists only if a text module computes at least one of the collection’s vectors. */
export function searchArguments(
  definition: ClassDefinition,
  { fusion, combination, weights }: SharedSearchTypes,
): GraphQLFieldConfigArgumentMap {
  const prefix = `GetObjects${definition.class}`;
  const targets = (name: string) => ({
    type: new GraphQLInputObjectType({
      name: `${prefix}${name}TargetInpObj`,
      fields: {
        targetVectors: strings,
        combinationMethod: { type: combination },
        weights: { type: weights },
      },
    }),
  });
  const bounds = (name: string) => ({
    distance: floats,
    certainty: floats,
    targetVectors: strings,
    targets: targets(name),
  });
  const operator = searchOperator(prefix);
  const input = (
    name: string,
    fields: ConstructorParameters<typeof GraphQLInputObjectType>[0]['fields'],
  ) => ({
    type: new GraphQLInputObjectType({ name: `${prefix}${name}InpObj`, fields }),
  });
  return {
    nearVector: input('NearVector', {
      vector: { type: vectorScalar(`${prefix}NearVectorVectorScalar`) },
      ...bounds('nearVector'),
    }),
    nearObject: input('NearObject', {
      id: { type: GraphQLString },
      beacon: { type: GraphQLString },
      ...bounds('nearObject'),
    }),
    bm25: input('HybridGetBm25', {
      query: { type: GraphQLString },
      properties: strings,
      searchOperator: { type: operator },
    }),
    hybrid: input('Hybrid', {
      query: { type: GraphQLString },
      alpha: floats,
      vector: { type: new GraphQLList(GraphQLFloat) },
      properties: strings,
      targetVectors: strings,
      targets: targets('hybrid'),
      bm25SearchOperator: { type: operator },
      fusionType: { type: fusion },
      maxVectorDistance: floats,
    }),
    ...(hasTextModule(definition) && {
      nearText: input('NearText', {
        concepts: strings,
        ...bounds('nearText'),
        moveTo: movement(`${prefix}NearTextMoveTo`),
        moveAwayFrom: movement(`${prefix}NearTextMoveAwayFrom`),
      }),
    }),
  };
}

function searchOperator(prefix: string) {
  const word = new GraphQLEnumType({
    name: `${prefix}SearchesOperator`,
    values: { And: {}, Or: {}, AndCross: {} },
  });
  return new GraphQLInputObjectType({
    name: `${prefix}Searches`,
    fields: { operator: { type: word }, minimumOrTokensMatch: { type: GraphQLInt } },
  });
}

function movement(name: string) {
  const objects = new GraphQLInputObjectType({
    name: `${name}MovementObjectsInpObj`,
    fields: { id: { type: GraphQLString }, beacon: { type: GraphQLString } },
  });
  const fields = { concepts: strings, force: floats, objects: { type: new GraphQLList(objects) } };
  return { type: new GraphQLInputObjectType({ name, fields }) };
}
