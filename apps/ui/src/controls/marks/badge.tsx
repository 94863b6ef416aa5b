import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** A label beside a name, such as “Sample” beside the name of a connection. */
export function Badge(props: { children: ReactNode }) {
  return <span className={styles.badge}>{props.children}</span>;
}
