import type { ReactNode } from 'react';
import styles from './problem-list.module.css';

/** Rows of a copy or an import that have a problem, and the problem of each row. */
export function ProblemList({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keyboard
    <ol className={styles.problems} aria-label={label} tabIndex={0}>
      {children}
    </ol>
  );
}
