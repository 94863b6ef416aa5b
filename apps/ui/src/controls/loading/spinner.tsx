import styles from './spinner.module.css';

/** Shows that work is running. For work that is often short, the caller waits first: see `useDelayed`. */
export function Spinner(props: { label?: string }) {
  return <span className={styles.spinner} role="status" aria-label={props.label ?? 'Working'} />;
}
