import { CellValue } from '../grid/index.ts';
import type { InspectorPart } from './inspected-row.ts';
import styles from './row-inspector.module.css';

/** How well the row matches the search, with every digit. */
export function SearchSection({ row }: InspectorPart) {
  const measures = row.properties.filter(({ isMeasure, cell }) => isMeasure && cell !== undefined);
  if (measures.length === 0) return null;
  return (
    <dl className={styles.measures} aria-label="Search">
      {measures.map(({ name, type, cell }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <CellValue cell={cell ?? null} column={{ type }} room={200} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
