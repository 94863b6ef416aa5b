import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { Button } from '../controls/buttons/button.tsx';
import { api } from '../data/api/api.ts';
import { showError } from '../data/messages/toast.tsx';
import { queryKeys } from '../data/queries/query-keys.ts';
import styles from './reach-banner.module.css';

/** Shows the message about damaged data that was set aside, until the user dismisses the message. */
export function DamageBanner() {
  const client = useQueryClient();
  const info = useQuery({
    queryKey: queryKeys.appInfo,
    queryFn: ({ signal }) => api.app.info.query(undefined, { signal }),
  });
  const dismiss = useMutation({
    mutationFn: () => api.app.dismissDamage.mutate(),
    onError: (error) => showError('The message was not dismissed', error),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.appInfo }),
  });
  if (!info.data?.damage) return null;
  return (
    <div role="alert" className={styles.banner}>
      <TriangleAlert size={15} aria-hidden />
      <p>{info.data.damage}</p>
      <Button size="small" variant="quiet" onClick={() => dismiss.mutate()}>
        Dismiss
      </Button>
    </div>
  );
}
