import { unprocessable } from '../errors.ts';

/** A `where` as received: over GraphQL, or in the body of a batch delete. */
export interface WhereInput {
  operator?: string;
  path?: string[] | null;
  operands?: WhereInput[] | null;
  [value: string]: unknown;
}

type FilterType = 'text' | 'int' | 'number' | 'boolean' | 'date' | 'geoCoordinates';

export interface Leaf {
  kind: 'leaf';
  operator: string;
  /** One property, or a path along references: property, collection, property, … */
  path: string[];
  type: FilterType;
  /** The field that contained the value, such as `valueText`, without the ending `Array`. Used in messages. */
  field: string;
  value: unknown;
}

export type Clause = { kind: 'group'; operator: 'And' | 'Or' | 'Not'; operands: Clause[] } | Leaf;

export const operators = [
  'And',
  'Or',
  'Not',
  'Equal',
  'NotEqual',
  'GreaterThan',
  'GreaterThanEqual',
  'LessThan',
  'LessThanEqual',
  'Like',
  'IsNull',
  'WithinGeoRange',
  'ContainsAny',
  'ContainsAll',
  'ContainsNone',
] as const;

const fields: Record<string, FilterType> = {
  valueText: 'text',
  valueString: 'text',
  valueInt: 'int',
  valueNumber: 'number',
  valueBoolean: 'boolean',
  valueDate: 'date',
  valueGeoRange: 'geoCoordinates',
};

/** Checks only the shape of the filter. `checkClause` checks that the properties exist and that the values fit them. */
export function readWhere(input: WhereInput): Clause {
  const operator = input.operator ?? '';
  if (!operators.some((known) => known === operator))
    throw unprocessable(`unrecognized operator: ${operator}`);
  if (operator === 'And' || operator === 'Or' || operator === 'Not') {
    const operands = input.operands ?? [];
    if (operands.length === 0) {
      throw invalid(`operator '${operator}', but no operands set - add at least one operand`);
    }
    return { kind: 'group', operator, operands: operands.map(readWhere) };
  }
  return { kind: 'leaf', operator, path: readPath(input.path ?? []), ...readValue(operator, input) };
}

function readPath(path: string[]): string[] {
  if (path.length === 0) throw invalid("field 'path': must have at least one element");
  if (path.length % 2 === 0) throw invalid(`missing an argument after '${path.at(-1)}'`);
  return path;
}

function readValue(operator: string, input: WhereInput): { type: FilterType; field: string; value: unknown } {
  const given = Object.entries(input).flatMap(([name, value]) => {
    // REST sends a list in a field of its own, such as `valueTextArray`.
    const field = name.replace(/Array$/, '');
    const type = Object.hasOwn(fields, field) ? fields[field] : undefined;
    const isSet = value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
    return type && isSet ? [{ type, field, value }] : [];
  });
  if (given.length > 1) throw invalid(`found more than one values the clause '${JSON.stringify(input)}'`);
  const [only] = given;
  if (!only) throw invalid(`got operator '${operator}', but no value<Type> field set`);
  // GraphQL has checked the types, REST has not. Without this check, a text such as "x" would compare as equal to every
  // number, and a batch delete could delete the wrong objects.
  if (![only.value].flat().every((one) => jsTypes[only.type].includes(typeof one))) {
    throw invalid(`field '${only.field}' cannot hold ${JSON.stringify(only.value)}`);
  }
  return only;
}

const jsTypes: Record<FilterType, string[]> = {
  text: ['string'],
  int: ['number', 'bigint'],
  number: ['number'],
  boolean: ['boolean'],
  date: ['string'],
  geoCoordinates: ['object'],
};

function invalid(message: string): Error {
  return unprocessable(`invalid where filter: ${message}`);
}
