import type { QueryKey } from '@tanstack/react-query';

/**
 * The text that stands for a query key, whatever the order of its members. Unlike the library's own function
 * it accepts large integers, which many rows have as their key. `JSON.stringify` throws for them, and the tab
 * would break.
 */
export function hashOf(key: QueryKey): string {
  return JSON.stringify(key, (_name, value: unknown) => {
    if (typeof value === 'bigint') return { bigint: String(value) };
    if (Object.prototype.toString.call(value) !== '[object Object]') return value;
    return Object.fromEntries(Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
