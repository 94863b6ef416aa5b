import { useMutation } from '@tanstack/react-query';
import { Download, ShieldCheck } from 'lucide-react';
import { Button } from '../../controls/buttons/button.tsx';
import { api, readFailure } from '../../data/api/api.ts';
import type { ActivityFilter } from '../../data/api/api-types.ts';
import { download } from '../../data/api/download.ts';
import { appFetch } from '../../data/api/window-key.ts';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import styles from './activity.module.css';
import { checkWords, isFiltered, setParts } from './activity-words.ts';
import shared from './integrations.module.css';

/** One button checks whether the log was changed. The other button downloads the rows that match the filter. */
export function ActivityCheckLine({ filter }: { filter: ActivityFilter }) {
  const check = useMutation({ mutationFn: () => api.activity.verify.mutate() });
  const save = useMutation({ mutationFn: async () => download(await csvFile(filter)) });
  return (
    <footer className={styles.footer}>
      <div className={shared.buttons}>
        <Button icon={<ShieldCheck size={14} aria-hidden />} onClick={() => check.mutate()}>
          Verify log
        </Button>
        <Button icon={<Download size={14} aria-hidden />} onClick={() => save.mutate()}>
          {isFiltered(filter) ? 'Export matching rows as CSV' : 'Export as CSV'}
        </Button>
      </div>
      <div role="status">
        {check.data && <Note level={check.data.ok ? 'info' : 'error'}>{checkWords(check.data)}</Note>}
      </div>
      {check.error && <ErrorNote error={check.error} />}
      {save.error && <ErrorNote error={save.error} />}
    </footer>
  );
}

async function csvFile(filter: ActivityFilter): Promise<string> {
  const response = await appFetch('/data/activity.csv', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(setParts(filter)),
  });
  if (!response.ok) throw await readFailure(response);
  return ((await response.json()) as { file: string }).file;
}
