import { type ClauseValue, isJunction, type Where } from '../requests/model/where.ts';

/** How one language writes filters. */
export interface FilterWords {
  target(of: { id: true } | { property: string; isLength: boolean }): string;
  operators: Record<string, string>;
  value(value: ClauseValue['value'], isDate: boolean): string;
  all(parts: string[]): string;
  any(parts: string[]): string;
  not(part: string): string;
}

/** A filter as an expression of a client library. */
export function filterCode(where: Where, words: FilterWords): string {
  const { operator } = where;
  if (isJunction(where)) {
    const parts = where.operands.map((part) => filterCode(part, words));
    if (operator === 'Not') return words.not(parts[0] ?? '');
    return operator === 'Or' ? words.any(parts) : words.all(parts);
  }
  const path = where.path[0] ?? '';
  const length = /^len\((.*)\)$/.exec(path);
  // The Python and TypeScript libraries have these operators for an id. For other operators, the id is the property
  // `_id`.
  const isId = path === 'id' && /^(Equal|NotEqual|ContainsAny)$/.test(operator);
  const property = length?.[1] ?? (path === 'id' ? '_id' : path);
  const target = words.target(isId ? { id: true } : { property, isLength: length !== null });
  const { type, value } = where.value;
  return `${target}.${words.operators[operator] ?? operator}(${words.value(value, type === 'date')})`;
}

export function scalarCode(value: ScalarValue, boolean: (value: boolean) => string): string {
  if (typeof value === 'boolean') return boolean(value);
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  return JSON.stringify(value);
}

export type ScalarValue = Exclude<ClauseValue['value'], unknown[]>;
