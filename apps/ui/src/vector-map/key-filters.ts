import { cellToText, type Filter, type RowKey } from '@trestle/driver-kit';

/** Filters for the rows with these keys. If a key has several columns, only the first can be a list. */
export function keyFilters(keys: RowKey[]): Filter[] {
  const [first] = keys;
  if (!first) return [];
  const value = (key: RowKey, column: string) => {
    const cell = key[column] ?? null;
    return typeof cell === 'number' || typeof cell === 'boolean' ? cell : cellToText(cell);
  };
  const columns = Object.keys(first);
  if (keys.length === 1)
    return columns.map((column) => ({ column, operator: 'equals', value: value(first, column) }));
  return columns.map((column) => ({
    column,
    operator: 'in_list',
    value: [...new Set(keys.map((key) => value(key, column)))],
  }));
}
