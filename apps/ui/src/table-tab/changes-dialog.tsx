import { useQuery } from '@tanstack/react-query';
import type { ChangeSet } from '@trestle/driver-kit';
import { useState } from 'react';
import { data } from '../shared/api.ts';
import { Button } from '../shared/button.tsx';
import code from '../shared/code-block.module.css';
import { Dialog } from '../shared/dialog.tsx';
import { ErrorNote } from '../shared/error-note.tsx';
import { Spinner } from '../shared/spinner.tsx';
import { useDelayed } from '../shared/use-delayed.ts';
import { saveText } from './staged-bar.tsx';
import styles from './table-tab.module.css';
import type { Staged } from './use-staged.ts';

/** More than this makes the dialog slow, and nobody reads it. */
const shownStatements = 500;

/** The exact statements a save would send: to look at, or to confirm. */
export function ChangesDialog(props: {
  purpose: 'preview' | 'confirm';
  connectionId: string;
  changes: ChangeSet;
  counts: Staged['counts'];
  canPreview: boolean;
  onSave(): void;
  onClose(): void;
}) {
  const { connectionId, purpose, canPreview } = props;
  // Held while the dialog stands: what is confirmed is what was shown.
  const [changes] = useState(props.changes);
  const [id] = useState(() => crypto.randomUUID());
  const preview = useQuery({
    queryKey: ['preview', id],
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
      description={purpose === 'confirm' ? 'This connection asks before each save.' : undefined}
      onClose={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>{purpose === 'confirm' ? 'Cancel' : 'Close'}</Button>
          <Button variant="primary" disabled={canPreview && !preview.data} onClick={props.onSave}>
            {saveText(props.counts)}
          </Button>
        </>
      }
    >
      {waiting && <Spinner label="Reading what would be sent" />}
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
