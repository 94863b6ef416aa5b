import type { Manifest } from '@trestle/driver-kit';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { counted } from '../../controls/text/counted.ts';
import type { TableSummary } from '../../data/api/api-types.ts';
import { tableKinds } from '../../data/connections/table-kinds.ts';
import { useDescription, useTableCount } from '../../data/queries/table-queries.ts';
import { focusActiveTab } from '../../data/window/tab-focus.ts';
import { openTable, previewTable } from '../../table-tab/index.ts';
import styles from './connection-home.module.css';
import { FewAtOnce } from './few-at-once.ts';

/** More counts at the same time would keep the database from the user's other requests. */
const requests = new FewAtOnce(4);
const queue: FewAtOnce['run'] = (signal, request) => requests.run(signal, request);

/** One table: its numbers of rows and columns, and its vectors. They are requested once the card is on the screen. */
export function TableCard(props: { connectionId: string; manifest: Manifest; table: TableSummary }) {
  const { connectionId, manifest, table } = props;
  const card = useRef<HTMLButtonElement>(null);
  const options = { enabled: useOnScreen(card), queue };
  const description = useDescription(connectionId, table.name, options).data;
  const count = useTableCount(connectionId, table, options);
  const { icon: Icon } = tableKinds[table.kind];
  const [row, rows] = manifest.terms.row;
  const columns = description?.columns.filter(({ hidden, type }) => !hidden && type !== 'vector').length;
  const vectors = description?.columns.filter(({ type }) => type === 'vector') ?? [];
  return (
    <button
      ref={card}
      type="button"
      className={styles.card}
      onClick={(event) => {
        if (event.detail > 0) return previewTable(connectionId, table.name);
        openTable(connectionId, table.name);
        focusActiveTab();
      }}
    >
      <span className={styles.cardTitle}>
        <Icon size={14} aria-hidden />
        <span>{table.name}</span>
      </span>
      <span className={styles.count}>
        {table.partitioned
          ? '–'
          : count.data === undefined
            ? count.error
              ? '–'
              : ''
            : count.data.toLocaleString('en')}
      </span>
      <span className={styles.note}>
        {table.partitioned
          ? `${rows} by tenant`
          : count.error && count.data === undefined
            ? `${rows} could not be counted`
            : count.data === 1
              ? row
              : rows}
        {columns !== undefined && `, ${counted(columns, 'column')}`}
      </span>
      <span className={styles.tags}>
        {vectors.map(({ name }) => (
          <span key={name} className={styles.vector}>
            {name}
          </span>
        ))}
        {description && vectors.length === 0 && description.searches && (
          <span className={styles.tag}>No vectors</span>
        )}
        {table.partitioned && <span className={styles.tag}>Tenants</span>}
        {table.kind === 'view' && <span className={styles.tag}>View</span>}
      </span>
    </button>
  );
}

/** Whether the element is in view, or less than a card away from it. */
function useOnScreen(element: RefObject<HTMLElement | null>): boolean {
  const [isOnScreen, setOnScreen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setOnScreen(entries.at(-1)!.isIntersecting), {
      rootMargin: '100px 0px',
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element]);
  return isOnScreen;
}
