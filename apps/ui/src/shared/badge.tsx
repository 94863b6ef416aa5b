import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** A label beside a name that says what kind of thing it is. */
export function Badge(props: { children: ReactNode }) {
  return <span className={styles.badge}>{props.children}</span>;
}
