import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** Names and what they stand for, as `dt` and `dd`, in lines of the same height. */
export function Facts(props: { children: ReactNode }) {
  return <dl className={styles.facts}>{props.children}</dl>;
}
