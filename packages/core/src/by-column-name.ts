import { z } from 'zod';

/**
 * An object with one value for each column, taken as it is. `z.record` drops a member called `__proto__`, so an edit of
 * a column with that name would be lost without a word.
 */
export function byColumnName<Value>(
  isValue: (value: unknown) => boolean,
): z.ZodType<Record<string, Value>, Record<string, Value>> {
  const isRow = (given: unknown) => isObject(given) && Object.values(given).every(isValue);
  // The JSON Schema of a tool names the type, so that a model sends an object.
  const schema = z.unknown().refine(isRow, 'Expected an object by column name').meta({ type: 'object' });
  return schema as unknown as z.ZodType<Record<string, Value>, Record<string, Value>>;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
