import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** Names and values in two columns. The children are pairs of `dt` and `dd`. */
export function Facts(props: { children: ReactNode }) {
  return <dl className={styles.facts}>{props.children}</dl>;
}
