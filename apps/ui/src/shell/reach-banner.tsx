import { TriangleAlert } from 'lucide-react';
import { Button } from '../shared/button.tsx';
import { useReach } from '../shared/events.ts';
import { useDelayed } from '../shared/use-delayed.ts';
import styles from './reach-banner.module.css';

/** Says that the app behind the window is gone; it goes away by itself when the app is back. */
export function ReachBanner() {
  const { reach } = useReach();
  const gone = reach === 'lost' || reach === 'refused';
  // A restart of the stream alone takes a moment and changes nothing.
  const shown = useDelayed(gone, 600);
  if (!shown) return null;
  return (
    <div role="alert" className={styles.banner}>
      <TriangleAlert size={15} aria-hidden />
      {reach === 'lost' ? (
        <p>Trestle is not answering. Start it again; this window reconnects by itself.</p>
      ) : (
        <>
          <p>Trestle no longer knows this window. Open Trestle again from its launcher or printed address.</p>
          <Button size="small" onClick={() => location.reload()}>
            Reload
          </Button>
        </>
      )}
    </div>
  );
}
