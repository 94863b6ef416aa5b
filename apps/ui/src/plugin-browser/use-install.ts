import { useMutation } from '@tanstack/react-query';
import { api } from '../shared/api.ts';
import { useInstalling } from './use-plugins.ts';

/** Installs a driver from the registry. `progress` also shows an install that another window started. */
export function useInstall(id: string, onInstalled?: () => void) {
  const progress = useInstalling(id);
  const install = useMutation({
    mutationFn: () => api.plugins.install.mutate(id),
    onSuccess: () => onInstalled?.(),
  });
  const wasCancelled = install.error !== null && /^cancelled/i.test(install.error.message);
  return {
    progress,
    isRunning: install.isPending || progress !== undefined,
    error: wasCancelled ? null : install.error,
    start: () => install.mutate(),
    cancel: () => void api.plugins.cancel.mutate(id),
  };
}
