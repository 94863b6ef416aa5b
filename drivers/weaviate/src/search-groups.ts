import type { Page } from '@trestle/driver-kit';
import type { CollectionReader } from './collection-reader.ts';
import type { GridColumn } from './columns.ts';
import type { FoundObject, GroupsRequest } from './requests/model/objects.ts';

/**
 * A search with groups: the rows of all groups, group by group. A hit in a group has a distance but no
 * score. The objects themselves are read over REST.
 */
export async function groupedSearch(
  reader: CollectionReader,
  request: GroupsRequest,
  { columns, measure }: { columns: GridColumn[]; measure: 'score' | 'distance' },
): Promise<{ rows: FoundObject[]; groups: NonNullable<Page['groups']> }> {
  const groups = await reader.findGroups(request);
  const hits = groups.flatMap((group) => group.hits);
  const objects = await reader.readAll(
    hits.map(({ id }) => id),
    columns.some(({ source }) => source.kind === 'vector'),
  );
  const rows = objects.flatMap((object, index): FoundObject[] => {
    const distance = measure === 'distance' ? (hits[index]?.distance ?? null) : null;
    const facts = { score: null, explainScore: null, rerankScore: null, changedAt: null };
    return object ? [{ object, distance, ...facts }] : [];
  });
  // An object may be in two groups, and may be deleted between two reads. So the hits are counted by their place.
  let first = 0;
  const counted = groups.map(({ value, hits: { length } }) => {
    const there = objects.slice(first, first + length).filter((object) => object !== null);
    first += length;
    return { value, rows: there.length };
  });
  return { rows, groups: counted };
}
