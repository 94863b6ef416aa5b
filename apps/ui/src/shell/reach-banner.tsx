import { TriangleAlert } from 'lucide-react';
import { useReach } from '../shared/events.ts';
import { useDelayed } from '../shared/use-delayed.ts';
import { CodeForm } from './code-form.tsx';
import styles from './reach-banner.module.css';

/** Says that the app behind the window is gone. It disappears by itself when the app is back. */
export function ReachBanner() {
  const { reach } = useReach();
  const gone = reach === 'lost' || reach === 'refused';
  // A restart of only the stream takes a moment and changes nothing, so the banner waits.
  const shown = useDelayed(gone, 600);
  if (!shown) return null;
  return (
    <div role="alert" className={styles.banner}>
      <TriangleAlert size={15} aria-hidden />
      {reach === 'lost' ? (
        <p>Trestle is not answering. Start it again; this window reconnects by itself.</p>
      ) : (
        <>
          <p>
            Trestle has started again or ended its windows, and no longer knows this one. Changes that are not
            saved are still here. Open Trestle from its launcher, or type the code that{' '}
            <code>trestle --no-window</code> prints.
          </p>
          <CodeForm />
        </>
      )}
    </div>
  );
}
