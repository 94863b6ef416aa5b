import styles from './spinner.module.css';

/** Shows that work is running. The caller waits 150 ms before it shows the spinner. */
export function Spinner(props: { label?: string }) {
  return <span className={styles.spinner} role="status" aria-label={props.label ?? 'Working'} />;
}
