import { useQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { api } from '../../../data/api/api.ts';
import { queryKeys } from '../../../data/queries/query-keys.ts';
import { keyedRecord } from '../../../shared/records/keyed-record.ts';
import type { JudgedQuery, QuerySet } from './query-set.ts';
import type { SetRun } from './run-set.ts';

export interface StoredSet extends QuerySet {
  /** The latest run is last. Earlier runs are kept to show how the metrics changed. */
  runs?: SetRun[];
  /** Marks a deleted query set of the sample. Other deleted sets are removed from the record. */
  isDeleted?: boolean;
}

const keptRuns = 20;

/** The query sets of a table: those of the sample, and the user's own. All windows share them. */
export function useQuerySets(connectionId: string, table: string) {
  const record = keyedRecord<StoredSet>(`query-sets/${connectionId}/${JSON.stringify(table)}`, connectionId);
  const items = useStore(record.store, (state) => state.items);
  const shipped = useQuery({
    queryKey: queryKeys.sampleQuerySets,
    queryFn: ({ signal }) => api.samples.querySets.query(undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  const samples = (shipped ?? [])
    .filter((set) => set.connectionId === connectionId && set.table === table)
    .map((set) => ({ id: `sample ${set.table}`, name: set.name, queries: set.queries.map(asJudged) }));
  const sets = [
    ...samples.map((set) => ({ ...set, ...items[set.id] })),
    ...Object.entries(items)
      .filter(([id]) => !samples.some((sample) => sample.id === id))
      .map(([id, set]) => ({ id, ...set })),
  ].filter((set) => !set.isDeleted);
  const write = (id: string, set: StoredSet) => {
    const { id: _, ...plain } = { id, ...set };
    record.set(id, plain);
  };
  return {
    sets: sets as (StoredSet & { id: string })[],
    write,
    remove(id: string) {
      const isSample = samples.some((sample) => sample.id === id);
      const set = sets.find((one) => one.id === id);
      if (isSample && set) write(id, { ...set, runs: [], isDeleted: true });
      else record.set(id, null);
    },
    addRun(id: string, run: SetRun) {
      const sample = samples.find((one) => one.id === id);
      const set = withRun(sample, record.store.getState().items[id], run);
      if (set) write(id, set);
    },
  };
}

/**
 * The set as it is now, with the run added: rows may have been marked during the run, in another window too. Null if
 * the set was deleted meanwhile.
 */
export function withRun(
  sample: QuerySet | undefined,
  stored: StoredSet | undefined,
  run: SetRun,
): StoredSet | null {
  const set = stored ?? sample;
  if (!set || stored?.isDeleted) return null;
  return { ...set, runs: [...(stored?.runs ?? []), run].slice(-keptRuns) };
}

export type QuerySets = ReturnType<typeof useQuerySets>;

function asJudged({ text, right }: { text: string; right: string[] }): JudgedQuery {
  return { text, right, wrong: [] };
}
