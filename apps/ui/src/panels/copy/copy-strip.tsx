import { X } from 'lucide-react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { api } from '../../data/api/api.ts';
import { useConnections } from '../../data/queries/queries.ts';
import { dialogs } from '../../data/window/open-dialog.ts';
import styles from './copy.module.css';
import { useCopies } from './copy-queries.ts';
import { copyTitle, countWords, tableName } from './copy-words.ts';

/** The copies from or to a connection. A running copy continues when its dialog is closed. */
export function CopyStrip({ connectionId }: { connectionId: string }) {
  const copies = useCopies().data?.filter(({ from, to }) =>
    [from.connectionId, to.connectionId].includes(connectionId),
  );
  const connections = useConnections().data ?? [];
  if (!copies || copies.length === 0) return null;
  return (
    <ul className={styles.strip} aria-label="Copies">
      {copies.map((copy) => (
        <li key={copy.id}>
          <span className={styles.told}>
            <span className={styles.names}>
              {tableName(copy.from, connectionId, connections)} →{' '}
              {tableName(copy.to, connectionId, connections)}
            </span>
            <span className={styles.words}>
              {copy.state === 'running' ? countWords(copy.counts) : copyTitle(copy)}
            </span>
          </span>
          <Button size="small" variant="quiet" onClick={() => dialogs.showCopy(copy.id)}>
            {copy.state === 'running' ? 'Show' : 'Details'}
          </Button>
          {copy.state !== 'running' && (
            <IconButton
              size="small"
              label={`Dismiss the copy to ${copy.to.table}`}
              onClick={() => void api.copies.forget.mutate({ id: copy.id }).catch(() => {})}
            >
              <X size={13} aria-hidden />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  );
}
