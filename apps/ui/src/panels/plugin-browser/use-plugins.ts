import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../data/api/api.ts';
import { useJobs } from '../../data/jobs/use-jobs.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';

export function useInstalledDrivers() {
  return useQuery({
    queryKey: queryKeys.plugins('installed'),
    queryFn: ({ signal }) => api.plugins.installed.query(undefined, { signal }),
  });
}

export function useListedDrivers() {
  return useQuery({
    queryKey: queryKeys.plugins('listed'),
    queryFn: ({ signal }) => api.plugins.listed.query(undefined, { signal }),
  });
}

export function useRegistry() {
  return useQuery({
    queryKey: queryKeys.plugins('registry'),
    queryFn: ({ signal }) => api.plugins.registry.query(undefined, { signal }),
  });
}

/**
 * Asks the app to read the registry's index when the component mounts. The app may skip this if its index is recent.
 * `mutate` always reads the index. A failure on mount is ignored here: the component shows the registry's status, which
 * contains the failure.
 */
export function useReadRegistry() {
  useEffect(() => {
    api.plugins.refresh.mutate({ force: false }).catch(() => {});
  }, []);
  return useMutation({ mutationFn: () => api.plugins.refresh.mutate({ force: true }) });
}

/** The running install of a driver, started in this window or another window. */
export function useInstalling(id: string | undefined) {
  return useJobs().data?.find((job) => id !== undefined && job.id === installJob(id) && !job.outcome);
}

/** The id of the job that installs a driver. */
export const installJob = (id: string) => `install ${id}`;
