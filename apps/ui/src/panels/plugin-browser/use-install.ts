import { useMutation } from '@tanstack/react-query';
import { isSecondClick } from '../../controls/keys/is-second-click.ts';
import { api, toApiError } from '../../data/api/api.ts';
import { showError } from '../../data/messages/toast.tsx';
import { installJob, useInstalling } from './use-plugins.ts';

/** Installs a driver from the registry. `job` is also an install that another window started. */
export function useInstall(id: string) {
  const job = useInstalling(id);
  const install = useMutation({ mutationFn: () => api.plugins.install.mutate(id) });
  return {
    job,
    isRunning: install.isPending || job !== undefined,
    error: shownError(install.error),
    start: () => install.mutate(),
    cancel(event: Pick<MouseEvent, 'detail'>) {
      if (isSecondClick(event)) return;
      api.jobs.cancel
        .mutate({ id: installJob(id) })
        .catch((error: unknown) => showError('The download was not cancelled', error));
    },
  };
}

/** The error to show; null if the install was cancelled. */
export function shownError<T>(error: T | null): T | null {
  return error !== null && toApiError(error).code === 'cancelled' ? null : error;
}
