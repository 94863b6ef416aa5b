import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** Says why there is no content to show, and may offer an action. */
export function EmptyState(props: {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      {props.icon && <div className={styles.icon}>{props.icon}</div>}
      <p className={styles.title}>{props.title}</p>
      {props.children && <div className={styles.text}>{props.children}</div>}
      {props.action && <div className={styles.acts}>{props.action}</div>}
    </div>
  );
}
