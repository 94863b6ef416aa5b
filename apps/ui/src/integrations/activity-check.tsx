import { useMutation } from '@tanstack/react-query';
import { Download, ShieldCheck } from 'lucide-react';
import { api } from '../shared/api.ts';
import type { ActivityFilter } from '../shared/api-types.ts';
import { Button } from '../shared/button.tsx';
import { ErrorNote, Note } from '../shared/error-note.tsx';
import styles from './activity.module.css';
import { checkWords, filterQuery, isFiltered } from './activity-words.ts';
import shared from './integrations.module.css';

/** Is the log as it was written? And the log as a file. */
export function ActivityCheckLine({ filter }: { filter: ActivityFilter }) {
  const check = useMutation({ mutationFn: () => api.activity.verify.mutate() });
  return (
    <footer className={styles.footer}>
      <div className={shared.buttons}>
        <Button icon={<ShieldCheck size={14} aria-hidden />} onClick={() => check.mutate()}>
          Verify log
        </Button>
        <Button
          icon={<Download size={14} aria-hidden />}
          nativeButton={false}
          render={<a href={`/data/activity.csv?${filterQuery(filter)}`} download />}
        >
          {isFiltered(filter) ? 'Export what fits as CSV' : 'Export as CSV'}
        </Button>
      </div>
      <div role="status">
        {check.data && <Note level={check.data.ok ? 'info' : 'error'}>{checkWords(check.data)}</Note>}
      </div>
      {check.error && <ErrorNote error={check.error} />}
    </footer>
  );
}
