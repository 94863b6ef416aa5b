import { useMutation } from '@tanstack/react-query';
import { api, toApiError } from '../shared/api.ts';
import { showError } from '../shared/toast.tsx';
import { useInstalling } from './use-plugins.ts';

/** Installs a driver from the registry. `progress` also shows an install that another window started. */
export function useInstall(id: string, onInstalled?: () => void) {
  const progress = useInstalling(id);
  const install = useMutation({
    mutationFn: () => api.plugins.install.mutate(id),
    onSuccess: () => onInstalled?.(),
  });
  return {
    progress,
    isRunning: install.isPending || progress !== undefined,
    error: shownError(install.error),
    start: () => install.mutate(),
    cancel() {
      api.plugins.cancel
        .mutate(id)
        .catch((error: unknown) => showError('The download was not cancelled', error));
    },
  };
}

/** The user who cancelled an install needs no message about it. */
export function shownError<T>(error: T | null): T | null {
  return error !== null && toApiError(error).code === 'cancelled' ? null : error;
}
