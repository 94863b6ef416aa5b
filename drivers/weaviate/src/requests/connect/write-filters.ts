import {
  Filters_Operator as FilterOperator,
  type FiltersSchema,
  type FilterTargetSchema,
  type MessageInitShape,
} from '@trestle/weaviate-connect';
import { type ClauseValue, isJunction, type Where } from '../model/where.ts';

type FiltersInit = MessageInitShape<typeof FiltersSchema>;

export function filtersMessage(where: Where): FiltersInit {
  const operator = operators[where.operator];
  if (isJunction(where)) return { operator, filters: where.operands.map(filtersMessage) };
  const { path } = where;
  const at = path.map((part, index) => (part === 'id' && index === path.length - 1 ? '_id' : part));
  const place = at.length === 1 ? { target: targetMessage(at[0] ?? '') } : { on: at };
  return { operator, ...place, testValue: testValue(where.value, at.at(-1) ?? '') };
}

function targetMessage(property: string): MessageInitShape<typeof FilterTargetSchema> {
  return { target: { case: 'property', value: property } };
}

const operators = {
  And: FilterOperator.AND,
  Or: FilterOperator.OR,
  Not: FilterOperator.NOT,
  Equal: FilterOperator.EQUAL,
  NotEqual: FilterOperator.NOT_EQUAL,
  GreaterThan: FilterOperator.GREATER_THAN,
  GreaterThanEqual: FilterOperator.GREATER_THAN_EQUAL,
  LessThan: FilterOperator.LESS_THAN,
  LessThanEqual: FilterOperator.LESS_THAN_EQUAL,
  Like: FilterOperator.LIKE,
  IsNull: FilterOperator.IS_NULL,
  ContainsAny: FilterOperator.CONTAINS_ANY,
  ContainsAll: FilterOperator.CONTAINS_ALL,
  ContainsNone: FilterOperator.CONTAINS_NONE,
  WithinGeoRange: FilterOperator.WITHIN_GEO_RANGE,
};

function testValue(given: ClauseValue, property: string): FiltersInit['testValue'] {
  switch (given.type) {
    case 'text':
    case 'date': {
      const { value } = given;
      if (!Array.isArray(value)) return { case: 'valueText', value: timeText(value, property) };
      const values = value.map((one) => timeText(one, property));
      return { case: 'valueTextArray', value: { values } };
    }
    case 'int': {
      const { value } = given;
      if (!Array.isArray(value)) return { case: 'valueInt', value: indexed(value) };
      return { case: 'valueIntArray', value: { values: value.map(indexed) } };
    }
    case 'number': {
      const { value } = given;
      if (!Array.isArray(value)) return { case: 'valueNumber', value };
      return { case: 'valueNumberArray', value: { values: value } };
    }
    case 'boolean': {
      const { value } = given;
      if (!Array.isArray(value)) return { case: 'valueBoolean', value };
      return { case: 'valueBooleanArray', value: { values: value } };
    }
    case 'geo':
      return { case: 'valueGeo', value: given.value };
  }
}

/**
 * The server stores an integer as a double, and its index compares the double. So 2^53 + 1 would find nothing. A double
 * of 2^63 is no 64-bit integer, and goes unrounded.
 */
function indexed(value: bigint): bigint {
  const stored = BigInt(Number(value));
  return BigInt.asIntN(64, stored) === stored ? stored : value;
}

/** Unlike GraphQL and REST, Connect takes the time of an object as RFC 3339 only, not as milliseconds. */
function timeText(value: string, property: string): string {
  const isTime = property === '_creationTimeUnix' || property === '_lastUpdateTimeUnix';
  if (!isTime || !/^-?\d{1,15}$/.test(value)) return value;
  return new Date(Number(value)).toISOString();
}
