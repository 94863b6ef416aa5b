import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Json, ReferenceTarget } from '@trestle/driver-kit';
import { data } from '../../data/api/api.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import type { ReferenceColumn, Targets } from './targets.ts';

/** The most elements in one request. */
const together = 1000;

const none: Targets = new Map();

/** The rows that these elements of a column point to. Rows that are not loaded yet are missing. */
export function useTargets(at: ReferenceColumn, elements: Json[]): Targets {
  return useQuery(targetsQuery(at, elements)).data ?? none;
}

export function targetsQuery(at: ReferenceColumn, elements: Json[]) {
  const wanted = [...new Set(elements.map((element) => JSON.stringify(element)))].sort();
  return queryOptions({
    queryKey: queryKeys.rows(at.connectionId, at.table, 'references', at, wanted),
    queryFn: ({ signal }): Promise<Targets> => readTargets(at, wanted, signal),
    enabled: wanted.length > 0,
    placeholderData: keepPreviousData,
    structuralSharing: false,
  });
}

async function readTargets(
  { connectionId, ...place }: ReferenceColumn,
  wanted: string[],
  signal: AbortSignal,
): Promise<Targets> {
  const targets = new Map<string, ReferenceTarget>();
  for (let start = 0; start < wanted.length; start += together) {
    const part = wanted.slice(start, start + together);
    const cells = part.map((text) => [JSON.parse(text) as Json]);
    const lists = await data('readReferences', connectionId, { ...place, cells }, signal);
    // An element that is not a reference has no target.
    for (const [index, [target]] of lists.entries()) if (target) targets.set(part[index] as string, target);
  }
  return targets;
}
