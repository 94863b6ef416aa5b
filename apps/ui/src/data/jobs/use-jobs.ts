import { useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { queryKeys } from '../queries/query-keys.ts';

export type Job = Awaited<ReturnType<typeof api.jobs.list.query>>[number];
export type DetailedJob = Awaited<ReturnType<typeof api.jobs.get.query>>;
export type JobOf<Kind extends Job['kind']> = DetailedJob & { kind: Kind };

const jobs = {
  queryKey: queryKeys.jobs,
  queryFn: ({ signal }: { signal: AbortSignal }) => api.jobs.list.query(undefined, { signal }),
};

/** Jobs of the app that run, and those that ended and were not dismissed; newest first. */
export function useJobs() {
  return useQuery(jobs);
}

/** One job with what only its own place shows. Undefined until it was read, and if it is not of this kind. */
export function useJob<Kind extends Job['kind']>(kind: Kind, id: string | null) {
  const { data, error } = useQuery({
    queryKey: queryKeys.job(id ?? ''),
    queryFn: ({ signal }) => api.jobs.get.query({ id: id ?? '' }, { signal }),
    enabled: id !== null,
  });
  return { job: data?.kind === kind ? (data as JobOf<Kind>) : undefined, error };
}
