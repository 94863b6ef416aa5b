import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { api } from '../data/api/api.ts';
import { queryKeys } from '../data/queries/query-keys.ts';
import styles from './reach-banner.module.css';

/** Says that history and activity cannot be stored. The banner disappears by itself when they can be stored again. */
export function LogBanner() {
  const info = useQuery({
    queryKey: queryKeys.appInfo,
    queryFn: ({ signal }) => api.app.info.query(undefined, { signal }),
  });
  if (!info.data?.logProblem) return null;
  const { logProblem, dataDirectory } = info.data;
  return (
    <div role="alert" className={styles.banner}>
      <TriangleAlert size={15} aria-hidden />
      <p>
        Trestle cannot write its history and activity log: {logProblem}. Calls of AI clients are refused until
        it can. Make room on the disk that holds {dataDirectory}, or make it writable.
      </p>
    </div>
  );
}
