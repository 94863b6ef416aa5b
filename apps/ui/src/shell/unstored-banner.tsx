import { TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import { unstored } from '../data/messages/unstored.ts';
import styles from './reach-banner.module.css';

/** Says that the app cannot keep edits and tabs. The window tries again, and the banner disappears by itself. */
export function UnstoredBanner() {
  const { reason } = useStore(unstored);
  if (reason === null) return null;
  return (
    <div role="alert" className={styles.banner}>
      <TriangleAlert size={15} aria-hidden />
      <p>
        Trestle cannot keep your last edits and tabs: {reason} They are lost if you close this window before
        there is room.
      </p>
    </div>
  );
}
