import {
  GraphQLEnumType,
  GraphQLFloat,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql';
import { operators } from '../filter/where.ts';
import { valueScalar } from './scalars.ts';

/** The type of the argument `where` of one collection. `prefix` is `GetObjects` or `AggregateObjects`. */
export function whereInput(prefix: string, className: string): GraphQLInputObjectType {
  const suffix = `${prefix}${className}`;
  const operator = new GraphQLEnumType({
    name: `${suffix}WhereOperatorEnum`,
    values: Object.fromEntries(operators.map((name) => [name, { value: name }])),
  });
  const values: Record<string, GraphQLInputFieldConfig> = {
    valueText: { type: valueScalar(`Text${suffix}`, 'text') },
    valueString: { type: valueScalar(`TextString${suffix}`, 'text') },
    valueDate: { type: valueScalar(`TextDate${suffix}`, 'text') },
    valueInt: { type: valueScalar(`Int${suffix}`, 'int') },
    valueNumber: { type: valueScalar(`Float${suffix}`, 'number') },
    valueBoolean: { type: valueScalar(`Boolean${suffix}`, 'boolean') },
    valueGeoRange: { type: geoRange(suffix) },
  };
  const fields = (): Record<string, GraphQLInputFieldConfig> => ({
    operator: { type: operator },
    path: { type: new GraphQLList(GraphQLString) },
    operands: { type: new GraphQLList(operands) },
    ...values,
  });
  const operands: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: `${suffix}WhereOperandsInpObj`,
    fields,
  });
  return new GraphQLInputObjectType({ name: `${suffix}WhereInpObj`, fields });
}

function geoRange(suffix: string): GraphQLInputObjectType {
  const required = { type: new GraphQLNonNull(GraphQLFloat) };
  const coordinates = new GraphQLInputObjectType({
    name: `${suffix}WhereGeoRangeGeoCoordinatesInpObj`,
    fields: { latitude: required, longitude: required },
  });
  const distance = new GraphQLInputObjectType({
    name: `${suffix}WhereGeoRangeDistanceInpObj`,
    fields: { max: required },
  });
  return new GraphQLInputObjectType({
    name: `${suffix}WhereGeoRangeInpObj`,
    fields: {
      geoCoordinates: { type: new GraphQLNonNull(coordinates) },
      distance: { type: new GraphQLNonNull(distance) },
    },
  });
}
