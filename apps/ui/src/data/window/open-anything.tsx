import { Search } from 'lucide-react';
import { shortcutText } from '../../controls/keys/kbd.tsx';
import styles from './open-anything.module.css';
import { dialogs } from './open-dialog.ts';

/** Opens the command palette. */
export function OpenAnything() {
  return (
    <button
      type="button"
      className={styles.button}
      aria-keyshortcuts="Control+P Meta+P"
      onClick={() => dialogs.showPalette(true)}
    >
      <Search size={13} aria-hidden />
      <span>Open anything</span>
      <kbd>{shortcutText('Mod+P')}</kbd>
    </button>
  );
}
