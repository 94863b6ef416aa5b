import { Button } from '../../controls/buttons/button.tsx';
import { dialogs } from '../window/open-dialog.ts';
import styles from './removal-note.module.css';

/** A note at the end of a list whose older entries were removed, with a button that opens the limits. */
export function RemovalNote({ words }: { words: string[] }) {
  if (words.length === 0) return null;
  return (
    <div className={styles.note} role="note">
      {words.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <Button size="small" variant="quiet" onClick={() => dialogs.showSettings('storage')}>
        Storage limits
      </Button>
    </div>
  );
}
