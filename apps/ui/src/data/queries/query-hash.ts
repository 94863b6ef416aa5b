import type { QueryKey } from '@tanstack/react-query';

/**
 * A text that identifies a query key. The order of an object's members does not matter. Unlike the function of TanStack
 * Query, this function accepts large integers, which may be the keys of rows. `JSON.stringify` alone throws for a large
 * integer, and the tab would break.
 */
export function hashOf(key: QueryKey): string {
  return JSON.stringify(key, (_name, value: unknown) => {
    if (typeof value === 'bigint') return { bigint: String(value) };
    if (Object.prototype.toString.call(value) !== '[object Object]') return value;
    return Object.fromEntries(Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
