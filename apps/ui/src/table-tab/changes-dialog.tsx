import { useQuery } from '@tanstack/react-query';
import { sameChanges } from '@trestle/core/staged-edits';
import type { ChangeSet } from '@trestle/driver-kit';
import { useContext, useState } from 'react';
import { Button } from '../controls/buttons/button.tsx';
import { CurrentConnection } from '../controls/connection-sign/current-connection.tsx';
import { Dialog } from '../controls/dialogs/dialog.tsx';
import { Spinner } from '../controls/loading/spinner.tsx';
import { useDelayed } from '../controls/loading/use-delayed.ts';
import code from '../controls/styles/code-block.module.css';
import { data } from '../data/api/api.ts';
import { ErrorNote } from '../data/messages/error-note.tsx';
import { saveText } from './staged-bar.tsx';
import styles from './table-tab.module.css';

/** More statements than this would make the dialog slow. */
const shownStatements = 500;

/**
 * Shows the statements of a save, if the driver can preview them. If the staged changes differ from the shown ones, the
 * Save button is hidden.
 */
export function ChangesDialog(props: {
  purpose: 'preview' | 'confirm';
  connectionId: string;
  /** The changes that a save would send now. They may change while the dialog is open, for example in another window. */
  changes: ChangeSet;
  canPreview: boolean;
  onSave(changes: ChangeSet): void;
  onClose(): void;
}) {
  const { connectionId, purpose, canPreview } = props;
  const [shown, setShown] = useState({ changes: props.changes, id: crypto.randomUUID() });
  const { changes } = shown;
  const isOld = !sameChanges(changes.changes, props.changes.changes);
  const preview = useQuery({
    queryKey: ['preview', shown.id],
    queryFn: ({ signal }) => data('previewChanges', connectionId, changes, signal),
    structuralSharing: false,
    gcTime: 0,
    enabled: canPreview,
  });
  const waiting = useDelayed(preview.isFetching);
  const hidden = (preview.data?.length ?? 0) - shownStatements;
  return (
    <Dialog
      open
      width="large"
      title={purpose === 'confirm' ? 'Save these changes?' : 'What Save sends'}
      connection={useContext(CurrentConnection)}
      description={purpose === 'confirm' ? 'This connection asks before each save.' : undefined}
      onClose={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>{purpose === 'confirm' ? 'Cancel' : 'Close'}</Button>
          {isOld ? (
            <Button
              variant="primary"
              onClick={() => setShown({ changes: props.changes, id: crypto.randomUUID() })}
            >
              Show the new changes
            </Button>
          ) : (
            <Button
              variant="primary"
              disabled={(canPreview && !preview.data) || changes.changes.length === 0}
              onClick={() => props.onSave(changes)}
            >
              {saveText(changes.changes.length)}
            </Button>
          )}
        </>
      }
    >
      {isOld && (
        <p role="alert" className={styles.changed}>
          The staged changes are no longer the ones shown. Another window may have changed or saved them.
        </p>
      )}
      {waiting && <Spinner label="Loading the statements" />}
      {preview.error && <ErrorNote error={preview.error} />}
      {preview.data && (
        <ol className={styles.statements} aria-label="Statements">
          {preview.data.slice(0, shownStatements).map((statement) => (
            <li key={statement.id}>
              <pre className={code.block}>{statement.text}</pre>
            </li>
          ))}
        </ol>
      )}
      {hidden > 0 && <p className={styles.muted}>and {hidden.toLocaleString('en')} more</p>}
    </Dialog>
  );
}
