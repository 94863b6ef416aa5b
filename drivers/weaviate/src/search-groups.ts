import type { Json, Page } from '@trestle/driver-kit';
import type { CollectionReader } from './collection-reader.ts';
import type { Literal } from './literal.ts';

interface FoundGroup {
  groupedBy?: { value?: string } | null;
  hits?: { _additional: { id: string; distance: number } }[] | null;
}

/**
 * A search with `groupBy`: the rows of all groups, group by group. A hit in a group has a distance but no
 * score. The objects themselves are read over REST.
 */
export async function groupedSearch(
  reader: CollectionReader,
  given: { [name: string]: Literal | undefined },
  measure: 'score' | 'distance',
) {
  const selection = '_additional { group { groupedBy { value } hits { _additional { id distance } } } }';
  const found = await reader.rawGet(given, selection, reader);
  const groups = found.map(({ _additional }) => (_additional as unknown as { group: FoundGroup }).group);
  const hits = groups.flatMap((group) => group.hits ?? []);
  const objects = await reader.readAll(
    hits.map(({ _additional }) => _additional.id),
    false,
  );
  const rows = objects.flatMap((object, index) => {
    const { distance } = hits[index]?._additional ?? {};
    const additional: { [name: string]: Json } = measure === 'distance' ? { distance: distance ?? null } : {};
    return object ? [{ object, additional }] : [];
  });
  const isThere = new Set(rows.map(({ object }) => object.id));
  const counted: NonNullable<Page['groups']> = groups.map((group) => ({
    value: group.groupedBy?.value ?? '',
    rows: (group.hits ?? []).filter(({ _additional }) => isThere.has(_additional.id)).length,
  }));
  return { rows, groups: counted };
}
