import styles from './neighbours.module.css';

/** A distance as a bar. With `isNear`, a longer bar means nearer. Otherwise it means farther. */
export function DistanceBar(props: { distance: number; most: number; isNear?: boolean }) {
  const part = props.most <= 0 ? 0 : Math.max(0, Math.min(1, props.distance / props.most));
  const length = props.isNear ? 1 - part : part;
  return (
    <span className={styles.bar} aria-hidden>
      <i style={{ width: `${Math.max(2, length * 100)}%` }} />
    </span>
  );
}

export function distanceText(distance: number): string {
  if (!Number.isFinite(distance)) return '–';
  if (distance !== 0 && Math.abs(distance) < 0.0005) return distance < 0 ? '0' : '< 0.001';
  return distance === 0 ? '0' : Math.abs(distance) < 10 ? distance.toFixed(3) : distance.toPrecision(4);
}
