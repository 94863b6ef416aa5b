import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** Names and values as `dt` and `dd`, in lines of equal height. */
export function Facts(props: { children: ReactNode }) {
  return <dl className={styles.facts}>{props.children}</dl>;
}
