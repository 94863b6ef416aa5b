import { type ClauseValue, isJunction, type Where } from '../model/where.ts';
import { EnumLiteral, type Literal } from './literal.ts';

/** A filter as a `where` argument. */
export function whereLiteral(where: Where): Literal {
  const operator = new EnumLiteral(where.operator);
  if (isJunction(where)) return { operator, operands: where.operands.map(whereLiteral) };
  return { path: where.path, operator, ...valueField(where.value) };
}

function valueField(value: ClauseValue): { [name: string]: Literal } {
  if (value.type !== 'geo') return { [fields[value.type]]: value.value };
  const { latitude, longitude, distance } = value.value;
  return { valueGeoRange: { geoCoordinates: { latitude, longitude }, distance: { max: distance } } };
}

const fields = {
  text: 'valueText',
  date: 'valueDate',
  int: 'valueInt',
  number: 'valueNumber',
  boolean: 'valueBoolean',
} as const;
