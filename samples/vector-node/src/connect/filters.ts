import {
  Filters_Operator as FilterOperator,
  type Filters,
  type FilterTarget,
} from '@trestle/weaviate-connect';
import { type ClassDefinition, findProperty, kindOf } from '../definition.ts';
import { noSuchProperty, onlyStopwords, unprocessable } from '../errors.ts';
import { lengthOf } from '../filter/check-clause.ts';
import { instantOf } from '../filter/instant.ts';
import type { WhereInput } from '../filter/where.ts';

type FindClass = (name: string) => ClassDefinition | undefined;

/** The same filter in the form that GraphQL and REST send. A value gets the type of its property, as in Weaviate. */
export function whereOf(filters: Filters, definition: ClassDefinition, findClass: FindClass): WhereInput {
  const operator = operators[filters.operator];
  if (operator === 'And' || operator === 'Or' || operator === 'Not') {
    if (filters.filters.length === 0) {
      throw unprocessable(`resolve doc ids for prop/value pair: no children for operator "${operator}"`);
    }
    return { operator, operands: filters.filters.map((one) => whereOf(one, definition, findClass)) };
  }
  const path = filters.target ? pathOf(filters.target, definition, findClass) : filters.on;
  if (path.length % 2 === 0) {
    throw unprocessable(
      `paths needs to have a uneven number of components: property, class, property, ...., got [${path.join(' ')}]`,
    );
  }
  if (operator === undefined) throw unprocessable(`unknown filter operator ${filters.operator}`);
  const value = operator === 'IsNull' ? ownValue(filters) : typedValue(filters, path, definition, findClass);
  return { operator, path, ...value };
}

const operators: Partial<Record<FilterOperator, string>> = {
  [FilterOperator.AND]: 'And',
  [FilterOperator.OR]: 'Or',
  [FilterOperator.NOT]: 'Not',
  [FilterOperator.EQUAL]: 'Equal',
  [FilterOperator.NOT_EQUAL]: 'NotEqual',
  [FilterOperator.GREATER_THAN]: 'GreaterThan',
  [FilterOperator.GREATER_THAN_EQUAL]: 'GreaterThanEqual',
  [FilterOperator.LESS_THAN]: 'LessThan',
  [FilterOperator.LESS_THAN_EQUAL]: 'LessThanEqual',
  [FilterOperator.LIKE]: 'Like',
  [FilterOperator.IS_NULL]: 'IsNull',
  [FilterOperator.WITHIN_GEO_RANGE]: 'WithinGeoRange',
  [FilterOperator.CONTAINS_ANY]: 'ContainsAny',
  [FilterOperator.CONTAINS_ALL]: 'ContainsAll',
  [FilterOperator.CONTAINS_NONE]: 'ContainsNone',
};

function pathOf({ target }: FilterTarget, definition: ClassDefinition, findClass: FindClass): string[] {
  switch (target.case) {
    case 'property':
      return [target.value];
    case 'count':
      return [target.value.on];
    case 'singleTarget':
    case 'multiTarget': {
      const { on, target: rest } = target.value;
      const [first = ''] = findProperty(definition, on)?.dataType ?? [];
      const name = target.case === 'multiTarget' ? target.value.targetCollection : first;
      const next = findClass(name) ?? definition;
      return [on, name, ...(rest ? pathOf(rest, next, findClass) : [])];
    }
    default:
      return [];
  }
}

interface Value {
  field: string;
  value: unknown;
}

function typedValue(
  filters: Filters,
  path: string[],
  definition: ClassDefinition,
  findClass: FindClass,
): object {
  const name = path.at(-1) ?? '';
  const own = sentValue(filters);
  if (name === '_id') return { [own.field]: own.value };
  if (name === '_creationTimeUnix' || name === '_lastUpdateTimeUnix') return timeValue(own);
  const place = path.length > 1 ? findClass(path.at(-2) ?? '') : definition;
  if (!place) throw unprocessable(`could not find class ${path.at(-2)} in schema`);
  const measured = lengthOf(name);
  const property = findProperty(place, measured ?? name);
  if (!property) throw unprocessable(noSuchProperty(measured ?? name, place.class));
  const { element } = kindOf(property);
  return converted(own, measured !== null || element === 'reference' ? 'int' : element);
}

function ownValue(filters: Filters): object {
  const { field, value } = sentValue(filters);
  return { [field]: value };
}

/** A list of values is in the field of one value, as in GraphQL. */
function sentValue({ testValue }: Filters): Value {
  switch (testValue.case) {
    case undefined:
      throw unprocessable('unknown value type <nil>');
    case 'valueInt':
      return { field: 'valueInt', value: integer(testValue.value) };
    case 'valueIntArray':
      return { field: 'valueInt', value: filled(testValue.value.values.map(integer)) };
    case 'valueTextArray':
    case 'valueNumberArray':
    case 'valueBooleanArray':
      return { field: testValue.case.replace('Array', ''), value: filled<unknown>(testValue.value.values) };
    case 'valueGeo': {
      const { latitude, longitude, distance } = testValue.value;
      const value = { geoCoordinates: { latitude, longitude }, distance: { max: distance } };
      return { field: 'valueGeoRange', value };
    }
    default:
      return { field: testValue.case, value: testValue.value };
  }
}

function filled<Item>(values: Item[]): Item[] {
  if (values.length === 0) throw unprocessable(onlyStopwords);
  return values;
}

function integer(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** GraphQL and REST take milliseconds too. */
function timeValue(given: Value): object {
  for (const text of [given.value].flat()) {
    if (instantOf(String(text)) !== null) continue;
    throw unprocessable(
      `trying parse time as RFC3339 string: parsing time "${text}" as "2006-01-02T15:04:05Z07:00"`,
    );
  }
  return converted(given, 'date');
}

/** Connect has no value of the type date, and takes a text or a number for each other. */
function converted({ field, value }: Value, element: string): object {
  const each = (convert: (one: unknown) => unknown) =>
    Array.isArray(value) ? value.map(convert) : convert(value);
  if (element === 'date' && field === 'valueText') return { valueDate: value };
  if (element === 'int' && /^value(Text|Number)$/.test(field)) return { valueInt: each(wholeNumber) };
  if (element === 'number' && /^value(Text|Int)$/.test(field)) return { valueNumber: each(Number) };
  return { [field]: value };
}

function wholeNumber(value: unknown): number {
  const number = Number(value);
  if (Number.isInteger(number)) return number;
  throw unprocessable(
    `expected an integer value, but could not parse string '${value}' as int: strconv.ParseFloat: parsing "${value}": invalid syntax`,
  );
}
