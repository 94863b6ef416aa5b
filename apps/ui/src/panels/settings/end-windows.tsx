import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { api } from '../../data/api/api.ts';
import { AlertDialog } from '../../data/messages/alert-dialog.tsx';
import styles from './settings.module.css';

/** Ends the access of all windows, in case another person has a link or a page is open on another screen. */
export function EndWindows() {
  const [asks, setAsks] = useState(false);
  return (
    <div className={styles.windows}>
      <p>
        A browser that was opened by a link keeps its access until Trestle stops. You can end all windows now,
        this one included.
      </p>
      <Button onClick={() => setAsks(true)}>End all windows…</Button>
      <AlertDialog
        open={asks}
        title="End all windows?"
        confirm="End all windows"
        danger
        onConfirm={async () => {
          await api.app.endWindows.mutate();
          setAsks(false);
        }}
        onCancel={() => setAsks(false)}
      >
        Every open page loses its access, this one included, but keeps its unsaved changes. Each page then
        says how to get access again. AI clients are not affected.
      </AlertDialog>
    </div>
  );
}
