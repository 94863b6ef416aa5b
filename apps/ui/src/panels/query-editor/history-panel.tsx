import { useQuery } from '@tanstack/react-query';
import { Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { SearchField } from '../../controls/fields/search-field.tsx';
import { moveRovingFocus } from '../../controls/keys/roving-focus.ts';
import panel from '../../controls/layout/side-panel.module.css';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import { classNames } from '../../controls/styles/class-names.ts';
import { counted } from '../../controls/text/counted.ts';
import { clockWords, momentWords } from '../../controls/text/date-words.ts';
import { api } from '../../data/api/api.ts';
import type { HistoryEntry } from '../../data/api/api-types.ts';
import { AlertDialog } from '../../data/messages/alert-dialog.tsx';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { RemovalNote } from '../../data/messages/removal-note.tsx';
import { removalWords } from '../../data/messages/removal-words.ts';
import { queryClient } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { durationText } from './duration-text.ts';
import styles from './history-panel.module.css';

/** The last statements that the user and clients ran on this connection. A click puts the text into the editor. */
export function HistoryPanel(props: { connectionId: string; onInsert(text: string): void; onClose(): void }) {
  const { connectionId } = props;
  const [text, setText] = useState('');
  const [clearing, setClearing] = useState(false);
  const entries = useQuery({
    queryKey: queryKeys.history(connectionId, 'entries', text.trim()),
    queryFn: ({ signal }) =>
      api.history.search.query(
        { connectionIds: [connectionId], limit: 200, ...(text.trim() && { text: text.trim() }) },
        { signal },
      ),
    placeholderData: (before) => before,
  });
  const removed = useQuery({
    queryKey: queryKeys.history(connectionId, 'removed'),
    queryFn: ({ signal }) => api.history.removed.query(connectionId, { signal }),
  });
  const clear = async () => {
    await api.history.clear.mutate({ connectionId });
    await queryClient.invalidateQueries({ queryKey: ['history', connectionId] });
    setClearing(false);
  };
  return (
    <aside className={classNames(panel.panel, styles.panel)} aria-label="History">
      <header className={styles.header}>
        <h2>History</h2>
        <IconButton
          label="Clear history…"
          size="small"
          disabled={!entries.data?.length}
          onClick={() => setClearing(true)}
        >
          <Trash2 size={13} aria-hidden />
        </IconButton>
        <IconButton label="Close history" size="small" onClick={props.onClose}>
          <X size={14} aria-hidden />
        </IconButton>
      </header>
      <div className={panel.box}>
        <SearchField label="Search history" value={text} onValueChange={setText} />
      </div>
      {entries.error && <ErrorNote error={entries.error} />}
      {entries.data?.length === 0 && (
        <EmptyState
          title={text.trim() ? 'Nothing matches' : 'The history is empty'}
          action={
            text.trim() ? (
              <Button size="small" onClick={() => setText('')}>
                Clear search
              </Button>
            ) : undefined
          }
        />
      )}
      {entries.data && entries.data.length > 0 && (
        <ul className={panel.list} onKeyDown={(event) => moveRovingFocus(event, 'vertical')}>
          {entries.data.map((entry) => (
            <li key={entry.id}>
              <button
                type="button"
                data-roving
                className={styles.entry}
                title={entry.text}
                onClick={() => props.onInsert(entry.text)}
              >
                <span className={styles.text}>{entry.text}</span>
                <span className={classNames(styles.detail, entry.outcome === 'error' && styles.failed)}>
                  {detailOf(entry)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {removed.data && <RemovalNote words={[removalWords(removed.data, ['statement', 'statements'])]} />}
      <AlertDialog
        open={clearing}
        title="Clear the history of this connection?"
        confirm="Clear history"
        danger
        onConfirm={clear}
        onCancel={() => setClearing(false)}
      >
        Every statement of this connection is removed, also those of external clients.
      </AlertDialog>
    </aside>
  );
}

function detailOf(entry: HistoryEntry): string {
  const outcome = {
    ok: entry.rows === null ? 'done' : counted(entry.rows, 'row'),
    error: 'failed',
    cancelled: 'cancelled',
  }[entry.outcome];
  const by = entry.caller === 'person' ? [] : [entry.caller];
  const cut =
    entry.cutFrom === null ? [] : [`only the beginning of ${entry.cutFrom.toLocaleString('en')} characters`];
  return [whenText(entry.at), outcome, durationText(entry.durationMs), ...by, ...cut].join(' · ');
}

function whenText(iso: string): string {
  const at = new Date(iso);
  return at.toDateString() === new Date().toDateString() ? clockWords(at) : momentWords(at);
}
