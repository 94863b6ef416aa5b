import { type Cell, cellToText } from '@trestle/driver-kit';
import styles from './neighbours.module.css';

/** Longer texts are cut. The inspector shows them in full. */
const longest = 600;

/** A value in a table of values. `title`: the rows that it refers to. */
export function valueText(cell: Cell, title: string | null) {
  if (cell === null) return <span className={styles.null}>NULL</span>;
  const text = title ?? cellToText(cell);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
