import type { QueryKey } from '@tanstack/react-query';

/**
 * The text that stands for a query key, whatever the order of its members. Unlike the library's own it takes a large
 * integer, which is the key of many a row: `JSON.stringify` throws for it, and the tab would break.
 */
export function hashOf(key: QueryKey): string {
  return JSON.stringify(key, (_name, value: unknown) => {
    if (typeof value === 'bigint') return { bigint: String(value) };
    if (Object.prototype.toString.call(value) !== '[object Object]') return value;
    return Object.fromEntries(Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
