import { Progress } from '@base-ui/react/progress';
import type { ReactNode } from 'react';
import styles from './progress-bar.module.css';

/** A progress bar with its figures below it. */
export function ProgressBar(props: {
  label: string;
  /** Null: there is no total yet. */
  total: number | null;
  done: number;
  /** The figures for a screen reader. */
  words: string;
  figures: ReactNode;
  children?: ReactNode;
}) {
  const { total, done } = props;
  const share = total === 0 ? 100 : total && Math.min(100, (done / total) * 100);
  return (
    <Progress.Root
      className={styles.progress}
      value={share}
      aria-label={props.label}
      getAriaValueText={() => props.words}
    >
      <Progress.Track className={styles.track}>
        <Progress.Indicator className={styles.indicator} />
      </Progress.Track>
      <span role="status" className={styles.figures}>
        {props.figures}
      </span>
      {props.children}
    </Progress.Root>
  );
}
