import { type ClassDefinition, findProperty } from '../definition.ts';
import { unprocessable } from '../errors.ts';
import type { Hit, HitGroup } from './hit.ts';

export interface GroupByInput {
  path?: string[];
  groups?: number;
  objectsPerGroup?: number;
}

/** One hit per group: the best. Its `group` has at most `objectsPerGroup` hits. Groups are sorted by their best hit. */
export function groupHits(hits: Hit[], asked: GroupByInput, definition: ClassDefinition): Hit[] {
  const path = asked.path ?? [];
  const name = path[0] ?? '';
  if (!findProperty(definition, name)) throw unprocessable(`groupBy: unrecognized property: ${name}`);
  const groups = new Map<string, Omit<HitGroup, 'minDistance' | 'maxDistance'>>();
  for (const hit of hits) {
    const value = hit.object.read(name);
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      const known = groups.get(String(one));
      if (known && known.hits.length < (asked.objectsPerGroup ?? 1)) known.hits.push(hit);
      if (known || groups.size >= (asked.groups ?? 1)) continue;
      groups.set(String(one), { id: groups.size, path, value: String(one), hits: [hit] });
    }
  }
  return [...groups.values()].map((group) => {
    const distances = group.hits.map(({ distance }) => distance ?? 0);
    const range = { minDistance: Math.min(...distances), maxDistance: Math.max(...distances) };
    return { ...(group.hits[0] as Hit), group: { ...group, ...range } };
  });
}
