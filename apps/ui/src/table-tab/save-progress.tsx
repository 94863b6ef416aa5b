import { Progress } from '@base-ui/react/progress';
import { useEffect, useState } from 'react';
import { Button } from '../controls/buttons/button.tsx';
import styles from './table-tab.module.css';
import type { SaveProgress as Running } from './use-save.ts';

/** The progress of a save of this window or another one, with a Cancel button. */
export function SaveProgress({ progress, onCancel }: { progress: Running; onCancel(): void }) {
  const { done, total, at, cancelling } = progress;
  const seconds = useSecondsSince(at);
  const text = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  return (
    <div className={styles.saving}>
      <Progress.Root
        className={styles.savingProgress}
        value={total > 0 ? (done / total) * 100 : null}
        aria-label="Save"
        getAriaValueText={() => text}
      >
        <span className={styles.savingText}>
          Saving {text}
          {seconds > 0 && <span className={styles.muted}> · {elapsed(seconds)}</span>}
        </span>
        <Progress.Track className={styles.savingTrack}>
          <Progress.Indicator className={styles.savingIndicator} />
        </Progress.Track>
      </Progress.Root>
      <Button size="small" disabled={cancelling} focusableWhenDisabled onClick={onCancel}>
        {cancelling ? 'Cancelling…' : 'Cancel'}
      </Button>
    </div>
  );
}

function useSecondsSince(at: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now - at) / 1000));
}

function elapsed(seconds: number): string {
  const rest = seconds % 60;
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(rest).padStart(2, '0')}`;
}
