import { unprocessable } from '../errors.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { Leaf } from './where.ts';

export type Ordinal = number | bigint | string | boolean;

export interface Test {
  (object: StoredObject): boolean;
  /**
   * Set if Weaviate may stop reading its inverted index before it has all matches, see `firstKeys`. Keys are the values
   * in that index. `read` lists the keys of an object, `holds` tests one key.
   */
  keys?: { read: (object: StoredObject) => Ordinal[]; holds: (key: Ordinal) => boolean };
}

/**
 * Tests whether any value from `read` meets the leaf's operator and value. For NotEqual: whether no value from `read`
 * equals the leaf's value.
 */
export function testOf(
  leaf: Pick<Leaf, 'operator' | 'value'>,
  read: (object: StoredObject) => Ordinal[],
): Test {
  const bound = leaf.value as Ordinal;
  const isSo = relation(leaf.operator);
  if (leaf.operator === 'NotEqual') {
    return (object) => !read(object).some((value) => compareValues(value, bound) === 0);
  }
  const holds = (key: Ordinal) => isSo(compareValues(key, bound));
  const test = (object: StoredObject) => read(object).some(holds);
  return leaf.operator === 'Equal' ? test : Object.assign(test, { keys: { read, holds } });
}

function relation(operator: string): (order: number) => boolean {
  switch (operator) {
    case 'Equal':
    case 'NotEqual':
      return (order) => order === 0;
    case 'GreaterThan':
      return (order) => order > 0;
    case 'GreaterThanEqual':
      return (order) => order >= 0;
    case 'LessThan':
      return (order) => order < 0;
    case 'LessThanEqual':
      return (order) => order <= 0;
    default:
      throw unprocessable(
        `resolve doc ids for prop/value pair: read row: operator ${operator} not supported`,
      );
  }
}

/** Compares texts by code point: their bytes in the index have this order. Compares a number with a bigint exactly. */
export function compareValues(a: Ordinal, b: Ordinal): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left !== right) return byCodePoint(left) - byCodePoint(right);
  }
  return a.length - b.length;
}

/** A surrogate is half of a code point above the basic plane, so it sorts after all other code units. */
function byCodePoint(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
