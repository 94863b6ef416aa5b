import styles from './spinner.module.css';

/** Shown where work is going on; the place that shows it waits 150 ms first. */
export function Spinner(props: { label?: string }) {
  return <span className={styles.spinner} role="status" aria-label={props.label ?? 'Working'} />;
}
