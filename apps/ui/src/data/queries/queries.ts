import { QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { Manifest } from '@trestle/driver-kit';
import { api } from '../api/api.ts';
import type { Connection, SessionStatus } from '../api/api-types.ts';
import { hashOf } from './query-hash.ts';
import { queryKeys } from './query-keys.ts';

/** By default, data does not become stale by itself, because the event stream reports changes. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      queryKeyHashFn: hashOf,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

const connections = queryOptions({
  queryKey: queryKeys.connections,
  queryFn: ({ signal }) => api.connections.list.query(undefined, { signal }),
});
const drivers = queryOptions({
  queryKey: queryKeys.drivers,
  queryFn: ({ signal }) => api.connections.drivers.query(undefined, { signal }),
});
const statuses = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: ({ signal }) => api.sessions.statuses.query(undefined, { signal }),
});
const settings = queryOptions({
  queryKey: queryKeys.settings,
  queryFn: ({ signal }) => api.settings.get.query(undefined, { signal }),
});

/**
 * Requests in parallel the data that a window needs first. Otherwise the parts of the window would request this data
 * one after the other, as they are drawn.
 */
export function readFirst(): void {
  void queryClient.prefetchQuery(settings);
  void queryClient.prefetchQuery(connections);
  void queryClient.prefetchQuery(drivers);
  void queryClient.prefetchQuery(statuses);
}

export function useConnections() {
  return useQuery(connections);
}

export function useConnection(id: string | null): Connection | undefined {
  return useConnections().data?.find((connection) => connection.id === id);
}

export function useDrivers() {
  return useQuery(drivers);
}

export function useManifest(driver: string | undefined): Manifest | undefined {
  return useDrivers().data?.find((manifest) => manifest.id === driver);
}

/** For shortcuts, which run outside components. False if the database has no query language. */
export function hasEditor(connectionId: string): boolean {
  const list = queryClient.getQueryData(connections.queryKey);
  const driver = list?.find(({ id }) => id === connectionId)?.driver;
  const manifest = queryClient.getQueryData(drivers.queryKey)?.find(({ id }) => id === driver);
  return manifest?.editor.language !== 'none';
}

export function useStatuses() {
  return useQuery(statuses);
}

export function useStatus(connectionId: string): SessionStatus {
  const known = useStatuses().data?.find((status) => status.connectionId === connectionId);
  return known ?? { connectionId, state: 'disconnected', capabilities: [] };
}

export function useTables(connectionId: string) {
  const { state } = useStatus(connectionId);
  return useQuery({
    queryKey: queryKeys.tables(connectionId),
    queryFn: ({ signal }) => api.tables.list.query({ connectionId }, { signal }),
    enabled: state === 'connected',
  });
}

export function useSettings() {
  return useQuery(settings);
}
