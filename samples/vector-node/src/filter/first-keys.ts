import type { StoredObject } from '../store/stored-object.ts';
import { compareValues, type Ordinal, type Test } from './comparison.ts';

/**
 * The objects that Weaviate finds for a filter. If the test has `keys`, Weaviate reads the index key by key from the
 * smallest, and stops when it has enough objects for the page. It sorts only these objects. Seen on Weaviate 1.27.27
 * and 1.39.0. A driver that expects all matching objects may show wrong rows. The sample node copies Weaviate here, so
 * that tests find such a driver.
 */
export function firstKeys(objects: StoredObject[], test: Test, limit: number): StoredObject[] {
  const { keys } = test;
  if (!keys) return objects;
  const byKey = new Map<Ordinal, StoredObject[]>();
  for (const object of objects) {
    for (const key of new Set(keys.read(object).filter(keys.holds))) {
      const holders = byKey.get(key) ?? [];
      byKey.set(key, holders);
      holders.push(object);
    }
  }
  const found = new Set<StoredObject>();
  for (const key of [...byKey.keys()].sort(compareValues)) {
    for (const object of byKey.get(key) ?? []) found.add(object);
    if (found.size >= limit) break;
  }
  return objects.filter((object) => found.has(object));
}
