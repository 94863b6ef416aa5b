import type { Manifest } from '@trestle/driver-kit';
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { moveRovingFocus } from '../../controls/keys/roving-focus.ts';
import panel from '../../controls/layout/side-panel.module.css';
import { classNames } from '../../controls/styles/class-names.ts';
import { shortCount } from '../../controls/text/short-count.ts';
import type { Connection, TableSummary } from '../../data/api/api-types.ts';
import { tableKinds } from '../../data/connections/table-kinds.ts';
import { useTableCount } from '../../data/queries/table-queries.ts';
import { focusActiveTab } from '../../data/window/tab-focus.ts';
import { tabsOf } from '../../data/window/workspace-state.ts';
import { useWorkspace } from '../../data/window/workspace-store.ts';
import { isTable, openTable, previewTable } from '../../table-tab/index.ts';
import styles from './sidebar.module.css';
import { TableMenu } from './table-menu.tsx';

/** Arrow keys move the focus, Enter opens a table. Typed letters focus the first table whose name begins with them. */
export function TableList(props: {
  connection: Connection;
  manifest: Manifest | undefined;
  tables: TableSummary[];
  ref?: Ref<HTMLUListElement>;
}) {
  const activeTable = useWorkspace((state) => {
    const { list, active } = tabsOf(state, props.connection.id);
    const tab = list.find(({ id }) => id === active);
    return tab && isTable(tab) ? tab.table : null;
  });
  const focusable = props.tables.some(({ name }) => name === activeTable)
    ? activeTable
    : props.tables[0]?.name;
  const list = useRef<HTMLUListElement>(null);
  useImperativeHandle(props.ref, () => list.current!);
  useEffect(() => {
    // If the element that opened the connection is gone, nothing has the focus. A table then gets the focus.
    if (document.activeElement === document.body) {
      list.current?.querySelector<HTMLElement>('[data-roving][tabindex="0"]')?.focus();
    }
  }, []);
  const typed = useRef('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const find = (event: KeyboardEvent<HTMLUListElement>) => {
    // A menu or dialog of an entry is elsewhere in the page, but its key events bubble to here.
    if (!event.currentTarget.contains(event.target as Node)) return;
    moveRovingFocus(event, 'vertical');
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey || event.key === ' ') return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      typed.current = '';
    }, 700);
    typed.current += event.key.toLowerCase();
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-roving]')];
    items.find((item) => item.textContent?.toLowerCase().startsWith(typed.current))?.focus();
  };

  return (
    <ul ref={list} className={classNames(panel.list, styles.tables)} onKeyDown={find}>
      {props.tables.map((table) => {
        const { icon: Icon, label } = tableKinds[table.kind];
        return (
          <li key={table.name}>
            <TableMenu connection={props.connection} manifest={props.manifest} table={table}>
              <button
                type="button"
                data-roving
                tabIndex={table.name === focusable ? 0 : -1}
                aria-current={table.name === activeTable ? 'true' : undefined}
                title={table.comment ?? table.name}
                className={classNames(styles.table, table.name === activeTable && styles.active)}
                onClick={(event) => {
                  // With the keyboard, the table opens for good and gets the focus. With the mouse, it is a preview, and
                  // the focus stays in the list.
                  if (event.detail > 0) return previewTable(props.connection.id, table.name);
                  openTable(props.connection.id, table.name);
                  focusActiveTab();
                }}
                onDoubleClick={() => openTable(props.connection.id, table.name)}
              >
                <Icon size={13} aria-label={label} role="img" />
                <span>{table.name}</span>
                <RowCount connectionId={props.connection.id} table={table} />
              </button>
            </TableMenu>
          </li>
        );
      })}
    </ul>
  );
}

/** Shows only a count that is already known: a list of a thousand tables must not count them all. */
function RowCount({ connectionId, table }: { connectionId: string; table: TableSummary }) {
  const count = useTableCount(connectionId, table, { enabled: false }).data;
  if (count === undefined) return null;
  return (
    <span className={styles.count} aria-hidden>
      {shortCount(count)}
    </span>
  );
}
