import { useEffect, useState } from 'react';
import { Button } from '../controls/buttons/button.tsx';
import { useDelayed } from '../controls/loading/use-delayed.ts';
import styles from './table-tab.module.css';

/** A thin line over the grid, shown after a short delay. */
export function ProgressLine({ active }: { active: boolean }) {
  if (!useDelayed(active)) return null;
  return <div className={styles.progress} role="progressbar" aria-label="Loading rows" />;
}

/** The elapsed time, and a Cancel button. This component has its own timer, so that its parent is not redrawn. */
export function LoadingNote(props: { active: boolean; onCancel(): void }) {
  const shown = useDelayed(props.active);
  const elapsed = useElapsed(props.active);
  if (!shown) return null;
  return (
    <span className={styles.loading}>
      <span className={styles.elapsed}>{(elapsed / 1000).toFixed(1)} s</span>
      <Button size="small" onClick={props.onCancel}>
        Cancel
      </Button>
    </span>
  );
}

function useElapsed(active: boolean): number {
  const [elapsed, setElapsed] = useState(0);
  useEffect(() => {
    setElapsed(0);
    if (!active) return;
    const began = performance.now();
    const interval = setInterval(() => setElapsed(performance.now() - began), 100);
    return () => clearInterval(interval);
  }, [active]);
  return elapsed;
}
