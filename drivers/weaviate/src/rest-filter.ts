import type { Json } from '@trestle/driver-kit';
import { isRecord } from './answer-shape.ts';
import type { Clause, ClauseValue, Comparison, Junction, Where } from './requests/model/where.ts';
import { foldCase } from './strict-json.ts';

/** The filter of a REST body. Throws a RangeError for a filter that it does not read completely. */
export function whereOfRest(filter: Json): Where {
  if (!isRecord(filter)) throw unreadable();
  // The server matches keys case-insensitively.
  const members = Object.entries(filter).map(([key, value]) => [foldCase(key), value] as const);
  const given = new Map(members);
  if (given.size < members.length) throw unreadable();
  const operator = String(given.get('operator'));
  given.delete('operator');
  const operands = given.get('operands');
  if (isJoining(operator)) {
    if (!Array.isArray(operands) || given.size !== 1) throw unreadable();
    return { operator, operands: operands.map(whereOfRest) };
  }
  const path = given.get('path');
  given.delete('path');
  if (!isTexts(path) || path.length === 0) throw unreadable();
  if (!comparisons.has(operator)) throw unreadable();
  const [field, ...more] = given;
  if (!field || more.length > 0) throw unreadable();
  return { path, operator: operator as Comparison, value: restValue(field[0], field[1]) } satisfies Clause;
}

function isJoining(operator: string): operator is Junction['operator'] {
  return operator === 'And' || operator === 'Or' || operator === 'Not';
}

const comparisons = new Set<string>([
  'Equal',
  'NotEqual',
  'GreaterThan',
  'GreaterThanEqual',
  'LessThan',
  'LessThanEqual',
  'Like',
  'IsNull',
  'ContainsAny',
  'ContainsAll',
  'ContainsNone',
  'WithinGeoRange',
] satisfies Comparison[]);

/** REST has a second name for a field with a list: `valueTextArray`. */
function restValue(field: string, value: Json): ClauseValue {
  const type = types[field.replace(/array$/, '')];
  if (type === 'geo') return { type, value: rangeOf(value) };
  const list = Array.isArray(value) ? value : [value];
  const isRight = list.every((one) =>
    type === 'text' || type === 'date'
      ? typeof one === 'string'
      : type === 'int'
        ? Number.isInteger(one)
        : typeof one === type,
  );
  if (type === undefined || !isRight) throw unreadable();
  const read = (one: Json) => (type === 'int' ? BigInt(one as number) : one);
  return { type, value: Array.isArray(value) ? value.map(read) : read(value) } as ClauseValue;
}

const types: Partial<Record<string, ClauseValue['type']>> = {
  valuetext: 'text',
  valuestring: 'text',
  valueint: 'int',
  valuenumber: 'number',
  valueboolean: 'boolean',
  valuedate: 'date',
  valuegeorange: 'geo',
};

function rangeOf(value: Json) {
  const folded = (one: Json | undefined) =>
    new Map(isRecord(one) ? Object.entries(one).map(([key, inner]) => [foldCase(key), inner] as const) : []);
  const range = folded(value);
  const place = folded(range.get('geocoordinates'));
  const [latitude, longitude] = [place.get('latitude'), place.get('longitude')];
  const distance = folded(range.get('distance')).get('max');
  if (typeof latitude !== 'number' || typeof longitude !== 'number' || typeof distance !== 'number') {
    throw unreadable();
  }
  return { latitude, longitude, distance };
}

function isTexts(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function unreadable(): RangeError {
  return new RangeError('Unreadable filter');
}
