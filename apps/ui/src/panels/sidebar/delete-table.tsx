import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { ConnectionWord } from '../../controls/connection-sign/connection-word.tsx';
import dialog from '../../controls/dialogs/dialog.module.css';
import { TextField } from '../../controls/fields/text-field.tsx';
import { Spinner } from '../../controls/loading/spinner.tsx';
import { classNames } from '../../controls/styles/class-names.ts';
import code from '../../controls/styles/code-block.module.css';
import { api, data } from '../../data/api/api.ts';
import type { Connection, TableSummary } from '../../data/api/api-types.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { showToast } from '../../data/messages/toast.tsx';
import { queryClient } from '../../data/queries/queries.ts';
import { isOfTable } from '../../data/queries/query-keys.ts';
import { readSchemaAgain } from '../../data/queries/read-schema-again.ts';
import { discardStaged, stagedIn, useStagedCounts } from '../../data/staged/staged-store.ts';
import { tabsOf } from '../../data/window/workspace-state.ts';
import { useWorkspace, workspace } from '../../data/window/workspace-store.ts';
import { isTable } from '../../table-tab/index.ts';
import styles from './delete-table.module.css';
import { lossLines, lossTitle, wordFor } from './loss-words.ts';
import { Losses } from './losses.tsx';

/**
 * Counts the rows that would be lost, asks for the table's name, and counts again. Deletes the table if no count has
 * changed.
 */
export function DeleteTable(props: {
  connection: Connection;
  table: TableSummary;
  /** The database's own word for a table. */
  term: string;
  onDone(): void;
}) {
  const { connection, table } = props;
  const term = wordFor(table.kind, props.term);
  const text = table.dropText ?? '';
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const cancel = useRef<HTMLButtonElement>(null);
  const unsaved = useStagedCounts(({ counts }) => stagedIn(counts, connection.id, table.name));
  const loss = useQuery({
    queryKey: ['loss', connection.id, text],
    queryFn: ({ signal }) => api.tables.measure.query({ connectionId: connection.id, text }, { signal }),
    gcTime: 0,
    staleTime: 0,
  });
  const lines = loss.data ? lossLines(loss.data, { table: table.name, unsaved }) : null;
  const title = loss.data ? lossTitle(loss.data, term, table.name) : `Delete the ${term} ${table.name}?`;
  const remove = async () => {
    setBusy(true);
    setError(null);
    try {
      const shown = loss.data;
      const now = (await loss.refetch({ throwOnError: true })).data;
      // The count has changed since it was shown. The user must see the new count and confirm again.
      if (JSON.stringify(shown?.tables) !== JSON.stringify(now?.tables)) {
        setTyped('');
        return;
      }
      await data(
        'runQuery',
        connection.id,
        { text, limit: 1, ceiling: 'destroy' },
        new AbortController().signal,
      );
      await forget(connection.id, table.name);
      showToast({ title: `The ${term} ${table.name} is deleted` });
      props.onDone();
    } catch (reason) {
      setError(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    // A deletion that has begun cannot be taken back, so the dialog stays open until it ends.
    <AlertDialog.Root open onOpenChange={(open) => !open && !busy && props.onDone()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={dialog.backdrop} forceRender />
        <AlertDialog.Viewport className={dialog.viewport}>
          <AlertDialog.Popup className={classNames(dialog.popup, dialog.medium)} initialFocus={cancel}>
            <header className={classNames(dialog.header, dialog.question, styles.header)}>
              <AlertDialog.Title className={dialog.title}>{title}</AlertDialog.Title>
              <ConnectionWord connection={connection} />
            </header>
            <AlertDialog.Description className={classNames(dialog.body, styles.body)} render={<div />}>
              <p>
                This deletes the {term} {table.name} from {connection.name}.
              </p>
              {lines && <Losses lines={lines} />}
              {loss.isFetching && !lines && (
                <p className={styles.counting}>
                  <Spinner label="Counting" /> Counting what is lost…
                </p>
              )}
              {loss.error && (
                <ErrorNote error={loss.error}>
                  <Button
                    size="small"
                    disabled={loss.isFetching}
                    onClick={() => {
                      // The button disappears or is disabled during the count. The focus must stay in the dialog.
                      cancel.current?.focus();
                      setError(null);
                      void loss.refetch();
                    }}
                  >
                    Retry
                  </Button>
                </ErrorNote>
              )}
              <pre className={code.block}>{text}</pre>
              <TextField
                label={`Type ${table.name} to confirm`}
                value={typed}
                onValueChange={setTyped}
                disabled={busy}
              />
              {error !== null && error !== loss.error && <ErrorNote error={error} />}
            </AlertDialog.Description>
            <footer className={dialog.footer}>
              <Button ref={cancel} disabled={busy} focusableWhenDisabled onClick={props.onDone}>
                Keep it
              </Button>
              <Button
                variant="danger"
                disabled={busy || !loss.data || typed !== table.name}
                focusableWhenDisabled
                onClick={remove}
              >
                Delete {table.name}
              </Button>
            </footer>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** Removes the tabs, the staged edits and the cached data of a deleted table. */
async function forget(connectionId: string, table: string): Promise<void> {
  discardStaged(connectionId, table);
  for (const tab of tabsOf(useWorkspace.getState(), connectionId).list) {
    if (isTable(tab) && tab.table === table) workspace.discardTab(connectionId, tab.id);
  }
  await readSchemaAgain(connectionId);
  queryClient.removeQueries({ predicate: ({ queryKey }) => isOfTable(queryKey, connectionId, table) });
}
