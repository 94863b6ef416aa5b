import { LayoutGrid, PanelLeft, Plus, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IconButton } from '../controls/buttons/icon-button.tsx';
import { ConnectionWord } from '../controls/connection-sign/connection-word.tsx';
import { shortcutText } from '../controls/keys/kbd.tsx';
import { moveRovingFocus } from '../controls/keys/roving-focus.ts';
import { classNames } from '../controls/styles/class-names.ts';
import type { Connection } from '../data/api/api-types.ts';
import { useManifest } from '../data/queries/queries.ts';
import { OpenAnything } from '../data/window/open-anything.tsx';
import { focusActiveTab } from '../data/window/tab-focus.ts';
import { type Tab, tabsOf } from '../data/window/workspace-state.ts';
import { useWorkspace, workspace } from '../data/window/workspace-store.ts';
import { requestCloseTab } from './close-tab.ts';
import { toggleSidebar, useSidebarPlace } from './sidebar-place.ts';
import { kindOf, tabKinds } from './tab-kinds.ts';
import styles from './tab-strip.module.css';

export function TabStrip({ connection }: { connection: Connection }) {
  const { list, active, preview } = useWorkspace((state) => tabsOf(state, connection.id));
  const manifest = useManifest(connection.driver);
  const dragged = useRef<string | null>(null);
  const sidebar = useSidebarPlace();
  return (
    <div className={styles.strip}>
      {sidebar !== 'beside' && (
        <>
          {/* For screen readers. The visible name is in the sidebar, which is not beside the tabs here. */}
          <h1 className={styles.unseen}>{connection.name}</h1>
          <IconButton
            label="Show sidebar"
            shortcut="Mod+B"
            aria-expanded={sidebar === 'over'}
            onClick={toggleSidebar}
          >
            <PanelLeft size={15} aria-hidden />
          </IconButton>
        </>
      )}
      <IconButton
        label={`Home of ${connection.name}`}
        className={active === null ? styles.home : undefined}
        onClick={() => workspace.showHome(connection.id)}
      >
        <LayoutGrid size={15} aria-hidden />
      </IconButton>
      <div
        role="tablist"
        aria-label={`Tabs of ${connection.name}`}
        className={styles.list}
        onKeyDown={(event) => moveRovingFocus(event, 'horizontal')}
      >
        {list.map((tab, index) => (
          <TabButton
            key={tab.id}
            connectionId={connection.id}
            tab={tab}
            isActive={tab.id === active}
            isPreview={tab.id === preview}
            takesFocus={active === null ? index === 0 : tab.id === active}
            onDragStart={() => {
              dragged.current = tab.id;
            }}
            onDrop={() => {
              if (dragged.current) workspace.moveTab(connection.id, dragged.current, tab.id);
              dragged.current = null;
            }}
          />
        ))}
      </div>
      {tabKinds.map(
        ({ kind, create }) =>
          create?.isOffered(manifest) && (
            <IconButton
              key={kind}
              label={create.label}
              shortcut={create.shortcut}
              onClick={() => create.open(connection.id)}
            >
              <Plus size={15} aria-hidden />
            </IconButton>
          ),
      )}
      <div className={styles.rest} />
      <ConnectionWord connection={connection} onWash />
      <OpenAnything />
    </div>
  );
}

function TabButton(props: {
  connectionId: string;
  tab: Tab;
  isActive: boolean;
  isPreview: boolean;
  takesFocus: boolean;
  onDragStart(): void;
  onDrop(): void;
}) {
  const { connectionId, tab, isActive } = props;
  const button = useRef<HTMLDivElement>(null);
  const { title, icon: Icon, mark } = kindOf(tab).useLabel(connectionId, tab);
  const isPreview = props.isPreview && !kindOf(tab).isTouched?.(connectionId, tab);
  const close = () => requestCloseTab(connectionId, tab.id);
  useEffect(() => {
    if (isActive) button.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isActive]);
  return (
    <div
      ref={button}
      role="presentation"
      className={classNames(styles.tab, isActive && styles.active, isPreview && styles.preview)}
    >
      <button
        type="button"
        role="tab"
        id={`tab-${tab.id}`}
        data-roving
        draggable
        aria-selected={isActive}
        aria-controls={isActive ? `panel-${tab.id}` : undefined}
        tabIndex={props.takesFocus ? 0 : -1}
        className={styles.title}
        title={isPreview ? `${title}: a preview. Double click to keep it` : title}
        onClick={() => workspace.activateTab(connectionId, tab.id)}
        onDoubleClick={() => workspace.keepTab(connectionId, tab.id)}
        onAuxClick={(event) => event.button === 1 && close()}
        onKeyDown={(event) => {
          if (event.key !== 'Delete') return;
          close();
          focusActiveTab();
        }}
        onDragStart={props.onDragStart}
        onDragOver={(event) => event.preventDefault()}
        onDrop={props.onDrop}
      >
        <Icon size={13} aria-hidden />
        <span>{title}</span>
        {mark && <span role="img" className={styles.mark} aria-label={mark.label} title={mark.title} />}
      </button>
      {/* Only for the mouse, since a tablist may contain only tabs. The keyboard has Delete and the shortcut. */}
      <button
        type="button"
        tabIndex={-1}
        aria-hidden
        title={`Close ${title} (${shortcutText('Alt+W')})`}
        className={styles.close}
        onClick={close}
      >
        <X size={12} aria-hidden />
      </button>
    </div>
  );
}
