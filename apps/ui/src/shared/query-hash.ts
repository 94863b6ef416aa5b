import type { QueryKey } from '@tanstack/react-query';

/**
 * A text that identifies a query key. The order of an object's members does not matter. Unlike the library's own
 * function, this one accepts large integers, which many rows have as their key. `JSON.stringify` alone throws for them,
 * and the tab would break.
 */
export function hashOf(key: QueryKey): string {
  return JSON.stringify(key, (_name, value: unknown) => {
    if (typeof value === 'bigint') return { bigint: String(value) };
    if (Object.prototype.toString.call(value) !== '[object Object]') return value;
    return Object.fromEntries(Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
