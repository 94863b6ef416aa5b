import { EmptyState } from '../../controls/marks/empty-state.tsx';
import { counted } from '../../controls/text/counted.ts';
import type { ClusterLabel } from './cluster-labels.ts';
import styles from './vector-map.module.css';

/** The list of the map's groups, the largest first. A click on an entry moves the map to that group. */
export function MapGroups(props: {
  groups: ClusterLabel[];
  /** Groups are found only when the map is done. */
  isDone: boolean;
  onShow(group: ClusterLabel): void;
}) {
  return (
    <section className={styles.groups} aria-label="Groups of the map">
      <p className={styles.legendTitle}>
        Groups on the map, each named by a word or value that is typical of its rows
      </p>
      {props.groups.length === 0 && (
        <EmptyState title={props.isDone ? 'No group stands out' : 'Groups appear when the map is finished'} />
      )}
      <ol>
        {props.groups.map((group) => (
          <li key={group.text}>
            <button type="button" className={styles.entry} onClick={() => props.onShow(group)}>
              <span className={styles.entryName}>{group.text}</span>
              <span>{counted(group.rows, 'row')}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
