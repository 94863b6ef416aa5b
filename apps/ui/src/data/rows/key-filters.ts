import { cellToText, type Filter, type RowKey } from '@trestle/driver-kit';

/**
 * Filters that select exactly the rows with these keys. Null if more than one column of the key varies: lists for two
 * columns would also select rows that pair a value of one row with a value of another. If `keys` is empty, the
 * result is empty too, and so selects all rows.
 */
export function keyFilters(keys: RowKey[]): Filter[] | null {
  const [first] = keys;
  if (!first) return [];
  const value = (key: RowKey, column: string) => {
    const cell = key[column] ?? null;
    return typeof cell === 'number' || typeof cell === 'boolean' ? cell : cellToText(cell);
  };
  const filters = Object.keys(first).map((column): Filter => {
    const values = [...new Set(keys.map((key) => value(key, column)))];
    return values.length === 1
      ? { column, operator: 'equals', value: values[0]! }
      : { column, operator: 'in_list', value: values };
  });
  return filters.filter(({ operator }) => operator === 'in_list').length > 1 ? null : filters;
}
