import {
  type FiltersSchema,
  type FilterTargetSchema,
  type MessageInitShape,
  Filters_Operator as Operator,
} from '@trestle/weaviate-connect';
import { type Collection, findCollection } from '../schema.ts';
import { mistake } from './refusal.ts';
import { Given, type Value } from './values.ts';

export type FiltersInit = MessageInitShape<typeof FiltersSchema>;
type FilterTargetInit = MessageInitShape<typeof FilterTargetSchema>;
type TestValue = NonNullable<FiltersInit['testValue']>;

const junctions = { And: Operator.AND, Or: Operator.OR, Not: Operator.NOT };

const comparisons = {
  Equal: Operator.EQUAL,
  NotEqual: Operator.NOT_EQUAL,
  GreaterThan: Operator.GREATER_THAN,
  GreaterThanEqual: Operator.GREATER_THAN_EQUAL,
  LessThan: Operator.LESS_THAN,
  LessThanEqual: Operator.LESS_THAN_EQUAL,
  Like: Operator.LIKE,
  IsNull: Operator.IS_NULL,
  ContainsAny: Operator.CONTAINS_ANY,
  ContainsAll: Operator.CONTAINS_ALL,
  ContainsNone: Operator.CONTAINS_NONE,
  WithinGeoRange: Operator.WITHIN_GEO_RANGE,
};

/** A `where` as the filters of Connect. */
export function filtersOf(value: Value, collection: Collection, all: Collection[]): FiltersInit {
  const given = new Given('where', value);
  const word = given.word('operator');
  if (word === undefined) throw mistake('"where" needs an operator');
  const filter = Object.hasOwn(junctions, word)
    ? junction(given, junctions[word as keyof typeof junctions], collection, all)
    : comparison(given, word, collection, all);
  given.end();
  return filter;
}

function junction(given: Given, operator: Operator, collection: Collection, all: Collection[]): FiltersInit {
  const operands = given.list('operands') ?? [];
  if (operands.length === 0) throw mistake('And, Or and Not need operands');
  return { operator, filters: operands.map((one) => filtersOf(one, collection, all)) };
}

function comparison(given: Given, word: string, collection: Collection, all: Collection[]): FiltersInit {
  const operator = Object.hasOwn(comparisons, word)
    ? comparisons[word as keyof typeof comparisons]
    : undefined;
  if (operator === undefined) throw mistake(`The operator ${word} of "where" is not known`);
  const path = given.texts('path') ?? [];
  if (path.length === 0) throw mistake('"where" needs a path');
  const isList = word.startsWith('Contains');
  return {
    operator,
    target: targetOf(path, collection, all),
    testValue: testValue(given, isList, path.at(-1) ?? ''),
  };
}

/** `path`: a property, or over references: reference, collection, property. */
function targetOf(path: string[], collection: Collection, all: Collection[]): FilterTargetInit {
  const [name = '', target, ...deeper] = path;
  const reference = collection.properties.find((one) => one.name === name && one.elementType === 'reference');
  if (target === undefined) {
    if (reference) return { target: { case: 'count', value: { on: name } } };
    return { target: { case: 'property', value: name === 'id' ? '_id' : name } };
  }
  if (!reference?.references.includes(target) || deeper.length === 0)
    throw mistake(`The path ${path.join('.')} of "where" leads nowhere in ${collection.name}`);
  const inner = targetOf(deeper, findCollection(all, target), all);
  if (reference.references.length === 1)
    return { target: { case: 'singleTarget', value: { on: name, target: inner } } };
  return { target: { case: 'multiTarget', value: { on: name, targetCollection: target, target: inner } } };
}

function testValue(given: Given, isList: boolean, property: string): TestValue {
  const names = given.names.filter((name) => name.startsWith('value') && given.has(name));
  const [name = ''] = names;
  if (names.length !== 1) throw mistake('A comparison of "where" needs exactly one value, such as valueText');
  if (name === 'valueGeoRange') return geoValue(given.inner(name)!);
  const all = given.list(name) ?? [];
  if (!isList && all.length !== 1) throw mistake(`"${name}" takes one value with this operator`);
  switch (name) {
    case 'valueText':
    case 'valueString':
    case 'valueDate': {
      const values = allOf(all, name, (one) => typeof one === 'string').map((one) => timeText(one, property));
      return isList
        ? { case: 'valueTextArray', value: { values } }
        : { case: 'valueText', value: values[0]! };
    }
    case 'valueInt': {
      const values = allOf<number>(all, name, Number.isInteger).map(BigInt);
      return isList ? { case: 'valueIntArray', value: { values } } : { case: 'valueInt', value: values[0]! };
    }
    case 'valueNumber': {
      const values = allOf<number>(all, name, (one) => typeof one === 'number');
      return isList
        ? { case: 'valueNumberArray', value: { values } }
        : { case: 'valueNumber', value: values[0]! };
    }
    case 'valueBoolean': {
      const values = allOf<boolean>(all, name, (one) => typeof one === 'boolean');
      return isList
        ? { case: 'valueBooleanArray', value: { values } }
        : { case: 'valueBoolean', value: values[0]! };
    }
  }
  throw mistake(`"${name}" of where is not known, so it is not translated`);
}

function allOf<T extends Value = string>(
  all: Value[],
  name: string,
  isRight: (one: unknown) => boolean,
): T[] {
  if (!all.every(isRight)) throw mistake(`"${name}" of where has a value of another type`);
  return all as T[];
}

/** Connect takes the time of an object as RFC 3339 only. GraphQL takes milliseconds too. */
function timeText(value: string, property: string): string {
  const isTime = property === '_creationTimeUnix' || property === '_lastUpdateTimeUnix';
  return isTime && /^-?\d{1,15}$/.test(value) ? new Date(Number(value)).toISOString() : value;
}

function geoValue(range: Given): TestValue {
  const place = range.inner('geoCoordinates');
  const distance = range.inner('distance');
  const value = {
    latitude: place?.number('latitude'),
    longitude: place?.number('longitude'),
    distance: distance?.number('max'),
  };
  for (const one of [place, distance, range]) one?.end();
  const { latitude, longitude, distance: max } = value;
  if (latitude === undefined || longitude === undefined || max === undefined)
    throw mistake('"valueGeoRange" needs geoCoordinates with latitude and longitude, and distance with max');
  return { case: 'valueGeo', value: { latitude, longitude, distance: max } };
}
