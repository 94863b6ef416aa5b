import { type ClassDefinition, findProperty, type PropertyDefinition } from '../definition.ts';
import { compareTexts } from '../filter/comparison.ts';
import { instantOf } from '../filter/instant.ts';
import type { StoredObject } from '../store/stored-object.ts';

export interface Group {
  /** `value` as GraphQL names it. `key` is the value itself. */
  groupedBy: { path: string[]; value: string; key: unknown } | null;
  objects: StoredObject[];
}

/** One group of all objects, or one group per value of a property, the largest group first. */
export function groupsOf(
  objects: StoredObject[],
  path: string[] | undefined,
  definition: ClassDefinition,
): Group[] {
  if (!path || path.length === 0) return [{ groupedBy: null, objects }];
  const property = findProperty(definition, path[0] ?? '');
  if (!property) return [];
  const groups = new Map<string, { key: unknown; objects: StoredObject[] }>();
  for (const object of objects) {
    for (const [value, key] of new Map(object.elements(property.name).map((one) => [groupName(one), one]))) {
      const group = groups.get(value) ?? { key, objects: [] };
      groups.set(value, group);
      group.objects.push(object);
    }
  }
  return [...groups]
    .map(([value, group]) => ({ groupedBy: { path, value, key: group.key }, objects: group.objects }))
    .sort((a, b) => b.objects.length - a.objects.length);
}

export function numericSummary(objects: StoredObject[], property: PropertyDefinition) {
  const values = valuesOf(objects, property)
    .map(Number)
    .sort((a, b) => a - b);
  const count = values.length;
  if (count === 0) {
    return { count, minimum: null, maximum: null, mean: null, median: null, mode: null, sum: null };
  }
  const sum = values.reduce((total, value) => total + value, 0);
  const [upper = 0, lower = 0] = [values[Math.floor(count / 2)], values[Math.floor((count - 1) / 2)]];
  return {
    count,
    minimum: values[0],
    maximum: values.at(-1),
    mean: sum / count,
    median: (lower + upper) / 2,
    mode: mostFrequent(values),
    sum,
  };
}

export function dateSummary(objects: StoredObject[], property: PropertyDefinition) {
  const values = valuesOf(objects, property)
    .map((value) => ({ text: String(value), instant: instantOf(String(value)) ?? 0n }))
    .sort((a, b) => (a.instant < b.instant ? -1 : a.instant > b.instant ? 1 : 0));
  const count = values.length;
  return {
    count,
    minimum: values[0]?.text ?? null,
    maximum: values.at(-1)?.text ?? null,
    median: values[Math.floor((count - 1) / 2)]?.text ?? null,
    mode: mostFrequent(values.map(({ text }) => text)) ?? null,
  };
}

export function booleanSummary(objects: StoredObject[], property: PropertyDefinition) {
  const values = valuesOf(objects, property);
  const count = values.length;
  const totalTrue = values.filter((value) => value === true).length;
  const totalFalse = count - totalTrue;
  return {
    count,
    totalTrue,
    totalFalse,
    percentageTrue: count === 0 ? null : totalTrue / count,
    percentageFalse: count === 0 ? null : totalFalse / count,
  };
}

export function topOccurrences(objects: StoredObject[], property: PropertyDefinition, limit = 5) {
  const counts = new Map<string, number>();
  for (const value of valuesOf(objects, property)) {
    const text = String(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, occurs]) => ({ value, occurs }))
    .sort((a, b) => b.occurs - a.occurs || compareTexts(a.value, b.value))
    .slice(0, limit);
}

export function valuesOf(objects: StoredObject[], property: PropertyDefinition): unknown[] {
  return objects.flatMap((object) => object.elements(property.name));
}

/** The most frequent value. If several values are equally frequent, the first of them. */
function mostFrequent<Value>(values: Value[]): Value | undefined {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce<[Value | undefined, number]>(
    (best, one) => (one[1] > best[1] ? one : best),
    [undefined, 0],
  )[0];
}

/** Prints a number as Go's `%v` does: 1000000 is `1e+06`, 0.00001 is `1e-05`. */
function groupName(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    return 'beacon' in value ? String(value.beacon) : JSON.stringify(value);
  }
  if (typeof value !== 'number') return String(value);
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-4 && size < 1e6)) return String(value);
  const [digits, exponent = ''] = value.toExponential().split('e');
  return `${digits}e${exponent.replace(/^([+-])(\d)$/, '$10$2')}`;
}
