import { useMutation } from '@tanstack/react-query';
import { api } from '../../data/api/api.ts';
import type { Settings } from '../../data/api/api-types.ts';
import { queryClient } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { withoutChange } from './without-change.ts';

/** A change shows before the app has stored it. If the call fails, the old value returns. */
export function useChangeSettings() {
  return useMutation({
    mutationFn: (patch: Parameters<typeof api.settings.update.mutate>[0]) =>
      api.settings.update.mutate(patch),
    onMutate: (patch) => {
      const before = queryClient.getQueryData<Settings>(queryKeys.settings);
      if (before) queryClient.setQueryData(queryKeys.settings, { ...before, ...patch });
      return before;
    },
    onError: (_error, patch, before) =>
      queryClient.setQueryData<Settings>(
        queryKeys.settings,
        (now) => now && before && withoutChange(now, before, patch),
      ),
    onSuccess: (settings) => queryClient.setQueryData(queryKeys.settings, settings),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.appInfo }),
  });
}
