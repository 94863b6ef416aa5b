import { TriangleAlert } from 'lucide-react';
import { useDelayed } from '../controls/loading/use-delayed.ts';
import { useReach } from '../data/events/events.ts';
import { CodeForm } from './code-form.tsx';
import styles from './reach-banner.module.css';

/** Says that the app does not answer or no longer knows this window. The banner disappears after a reconnect. */
export function ReachBanner() {
  const { reach } = useReach();
  const gone = reach === 'lost' || reach === 'refused';
  // The banner waits a moment, so that it does not flash at a very short interruption.
  const shown = useDelayed(gone, 600);
  if (!shown) return null;
  return (
    <div role="alert" className={styles.banner}>
      <TriangleAlert size={15} aria-hidden />
      {reach === 'lost' ? (
        <p>Trestle is not answering. Start it again. This window then continues, or asks for a code.</p>
      ) : (
        <>
          <p>
            Trestle no longer knows this window. It may have restarted. Changes that are not saved are still
            here. Open Trestle from its launcher, or type the code that <code>trestle --no-window</code>{' '}
            prints.
          </p>
          <CodeForm />
        </>
      )}
    </div>
  );
}
