import type { Json } from '@trestle/driver-kit';
import { counted } from '../text/counted.ts';

export interface JsonChild {
  /** Null in a list, and for the document itself. */
  name: string | null;
  value: Json;
}

/** The members of a value; null for a scalar. */
export function childrenOf(value: Json): JsonChild[] | null {
  if (Array.isArray(value)) return value.map((inner) => ({ name: null, value: inner }));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).map(([name, inner]) => ({ name, value: inner }));
  }
  return null;
}

/**
 * A list of more than 16 numbers starts folded, since the numbers of a vector are rarely read. Objects start folded
 * from depth 6, lists from depth 5, and lists of more than 20 items from depth 3.
 */
export function startsOpen(value: Json, depth: number): boolean {
  if (Array.isArray(value)) {
    if (value.length > 16 && value.every((inner) => typeof inner === 'number')) return false;
    return depth < 3 || (depth < 5 && value.length <= 20);
  }
  return depth < 6;
}

/** The text between the brackets of a folded value. */
export function summaryOf(value: Json): string {
  if (Array.isArray(value)) {
    const isVector = value.length > 16 && value.every((inner) => typeof inner === 'number');
    if (isVector) return `${value.slice(0, 2).join(', ')}, … ${value.length.toLocaleString('en')} numbers`;
    return counted(value.length, 'item');
  }
  const names = Object.keys(value as object);
  const first = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${first}, … ${names.length} members` : first;
}
