/** A filter as the driver describes it. Each writer turns it into the form of its interface. */
export type Where = Junction | Clause;

export interface Junction {
  operator: 'And' | 'Or' | 'Not';
  operands: Where[];
}

export interface Clause {
  operator: Comparison;
  /** `['id']`, a property, `len(<property>)`, or a path over references: reference, collection, property. */
  path: string[];
  value: ClauseValue;
}

export type Comparison =
  | 'Equal'
  | 'NotEqual'
  | 'GreaterThan'
  | 'GreaterThanEqual'
  | 'LessThan'
  | 'LessThanEqual'
  | 'Like'
  | 'IsNull'
  | 'ContainsAny'
  | 'ContainsAll'
  | 'ContainsNone'
  | 'WithinGeoRange';

/** A value and its type in the index. A list belongs to one of the operators that take a list. */
export type ClauseValue =
  | { type: 'text' | 'date'; value: string | string[] }
  | { type: 'int'; value: bigint | bigint[] }
  | { type: 'number'; value: number | number[] }
  | { type: 'boolean'; value: boolean | boolean[] }
  | { type: 'geo'; value: { latitude: number; longitude: number; distance: number } };

export function isJunction(where: Where): where is Junction {
  return 'operands' in where;
}

/** Null without parts. */
export function combine(operator: 'And' | 'Or', parts: Where[]): Where | null {
  if (parts.length === 0) return null;
  return parts.length === 1 ? (parts[0] ?? null) : { operator, operands: parts };
}

/** `id` greater than the last one seen: the cursor of an export or sample with a filter. */
export function afterId(id: string): Where {
  return { path: ['id'], operator: 'GreaterThan', value: { type: 'text', value: id } };
}

export function idsIn(ids: string[]): Where {
  return { path: ['id'], operator: 'ContainsAny', value: { type: 'text', value: ids } };
}

/**
 * For a filter of one clause the server reads only `offset + limit` matches from the index, in the order of the
 * filtered values. It sorts only these matches, so the page could miss matches that come first in the sort order.
 * With two operands the server reads all matches, so a single clause is sent twice, joined by And. Weaviate 1.39 needs
 * this over Connect too.
 */
export function readWhole(where: Where): Where {
  const isCompound = isJunction(where) && where.operands.length > 1;
  return isCompound ? where : { operator: 'And', operands: [where, where] };
}
