import { Database } from 'lucide-react';
import { Dialog } from '../shared/dialog.tsx';
import { ErrorNote } from '../shared/error-note.tsx';
import { useDrivers } from '../shared/queries.ts';
import { moveRovingFocus } from '../shared/roving-focus.ts';
import { dialogs } from '../shell/open-dialog.ts';
import styles from './driver-chooser.module.css';

export function DriverChooser() {
  const drivers = useDrivers();
  return (
    <Dialog open title="New connection" description="Which kind of database?" onClose={dialogs.closeForm}>
      {drivers.error && <ErrorNote error={drivers.error} />}
      <ul className={styles.list} onKeyDown={(event) => moveRovingFocus(event, 'vertical')}>
        {drivers.data?.map((manifest, index) => (
          <li key={manifest.id}>
            <button
              type="button"
              data-roving
              // biome-ignore lint/a11y/noAutofocus: choosing is all that this dialog is for
              autoFocus={index === 0}
              className={styles.driver}
              onClick={() => dialogs.openForm(manifest.id)}
            >
              <Database size={18} aria-hidden />
              <span>
                <span className={styles.name}>{manifest.name}</span>
                <span className={styles.summary}>{manifest.summary}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
