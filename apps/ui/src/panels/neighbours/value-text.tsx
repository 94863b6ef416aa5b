import { type Cell, cellToText } from '@trestle/driver-kit';
import { compactJson } from '../grid/cell-display.ts';
import styles from './neighbours.module.css';

/** Longer texts are cut. The inspector shows more of them. */
const longest = 600;

/** A value in a table of values. `title`: the titles of the rows that the value refers to. */
export function valueText(cell: Cell, title: string | null) {
  if (cell === null) return <span className={styles.null}>NULL</span>;
  const text = title ?? plainText(cell);
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
}

/** A list or an object is JSON with spaces, as in the grid, so that lines can break between values. */
function plainText(cell: NonNullable<Cell>): string {
  if (typeof cell !== 'object' || cell instanceof Uint8Array) return cellToText(cell);
  return compactJson(cell, longest + 1);
}
