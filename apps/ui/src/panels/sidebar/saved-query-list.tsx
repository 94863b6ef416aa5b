import { Code, CodeXml, Pencil, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { NameDialog } from '../../controls/dialogs/name-dialog.tsx';
import { moveRovingFocus } from '../../controls/keys/roving-focus.ts';
import panel from '../../controls/layout/side-panel.module.css';
import { ContextMenu } from '../../controls/menus/context-menu.tsx';
import { classNames } from '../../controls/styles/class-names.ts';
import { focusActiveTab } from '../../data/window/tab-focus.ts';
import { tabsOf } from '../../data/window/workspace-state.ts';
import { useWorkspace } from '../../data/window/workspace-store.ts';
import { isQuery, openSavedQuery } from '../query-editor/query-state.ts';
import { type ListedQuery, savedQueries } from '../query-editor/saved-queries.ts';
import styles from './sidebar.module.css';

/** Enter opens a query, F2 renames it, Delete deletes it. Its menu offers the same actions. */
export function SavedQueryList(props: { connectionId: string; queries: ListedQuery[] }) {
  const { connectionId, queries } = props;
  const [renaming, setRenaming] = useState<ListedQuery | null>(null);
  const active = useWorkspace((state) => {
    const { list, active } = tabsOf(state, connectionId);
    const tab = list.find(({ id }) => id === active);
    return tab && isQuery(tab) ? tab.savedId : undefined;
  });
  const focusable = queries.some(({ id }) => id === active) ? active : queries[0]?.id;
  return (
    <section className={styles.saved} aria-label="Saved queries">
      <h2>Saved queries</h2>
      <ul
        className={panel.list}
        onKeyDown={(event) => {
          if (event.currentTarget.contains(event.target as Node)) moveRovingFocus(event, 'vertical');
        }}
      >
        {queries.map((query) => (
          <li key={query.id}>
            <SavedQueryEntry
              connectionId={connectionId}
              query={query}
              isActive={query.id === active}
              takesFocus={query.id === focusable}
              onRename={() => setRenaming(query)}
            />
          </li>
        ))}
      </ul>
      <NameDialog
        open={renaming !== null}
        title="Rename the query"
        act="Rename"
        initial={renaming?.name ?? ''}
        onClose={() => setRenaming(null)}
        onName={(name) => {
          if (renaming) savedQueries.rename(connectionId, renaming.id, name);
          setRenaming(null);
        }}
      />
    </section>
  );
}

function SavedQueryEntry(props: {
  connectionId: string;
  query: ListedQuery;
  isActive: boolean;
  takesFocus: boolean;
  onRename(): void;
}) {
  const { connectionId, query, isActive } = props;
  const [open, setOpen] = useState(false);
  const show = () => openSavedQuery(connectionId, query);
  const remove = () => savedQueries.remove(connectionId, query.id);
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key === 'F2') props.onRename();
    else if (event.key === 'Delete') {
      focusNeighbour(event.currentTarget);
      remove();
    } else return;
    event.preventDefault();
  };
  return (
    <ContextMenu
      open={open}
      onOpenChange={setOpen}
      entries={[
        { label: 'Open', icon: <Code size={13} />, onSelect: show },
        { label: 'Rename…', icon: <Pencil size={13} />, shortcut: 'F2', onSelect: props.onRename },
        'separator',
        { label: 'Delete', icon: <Trash2 size={13} />, shortcut: 'Delete', danger: true, onSelect: remove },
      ]}
      trigger={
        <button
          type="button"
          data-roving
          tabIndex={props.takesFocus ? 0 : -1}
          aria-current={isActive ? 'true' : undefined}
          title={query.name}
          className={classNames(styles.table, isActive && styles.active)}
          onKeyDown={onKeyDown}
          onClick={(event) => {
            show();
            if (event.detail === 0) focusActiveTab();
          }}
        >
          <CodeXml size={13} aria-hidden />
          <span>{query.name}</span>
        </button>
      }
    />
  );
}

/**
 * Called before the focused entry is removed. Moves the focus to a neighbour, or to the sidebar if there is none.
 */
function focusNeighbour(button: HTMLElement): void {
  const item = button.closest('li');
  const next = item?.nextElementSibling ?? item?.previousElementSibling;
  const place = next?.querySelector<HTMLElement>('[data-roving]') ?? button.closest<HTMLElement>('aside');
  place?.focus();
}
