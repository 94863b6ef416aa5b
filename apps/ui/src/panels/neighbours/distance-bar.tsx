import styles from './neighbours.module.css';

/** The bar beside a distance. Hidden from assistive technology, because the number beside it says the same. */
export function DistanceBar({ length }: { length: number }) {
  return (
    <span className={styles.bar} aria-hidden>
      <i style={{ width: `${length * 100}%` }} />
    </span>
  );
}
