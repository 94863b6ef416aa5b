import { useEffect, useRef } from 'react';
import { Group, Panel, Separator, usePanelRef } from 'react-resizable-panels';
import { CurrentConnection } from '../controls/connection-sign/current-connection.tsx';
import pane from '../controls/layout/pane.module.css';
import { Main } from '../controls/popups/popup-place.tsx';
import type { Connection } from '../data/api/api-types.ts';
import { connect } from '../data/connections/connect.ts';
import { AlertDialog } from '../data/messages/alert-dialog.tsx';
import { ConnectionDown } from '../data/messages/connection-down.ts';
import { useManifest, useStatus, useStatuses } from '../data/queries/queries.ts';
import { emptyWorkspace } from '../data/window/workspace-state.ts';
import { useWorkspace, workspace } from '../data/window/workspace-store.ts';
import { SessionNote } from '../panels/sidebar/session-note.tsx';
import { Sidebar } from '../panels/sidebar/sidebar.tsx';
import { useClosingTab } from './close-tab.ts';
import { ConnectionStrip } from './connection-strip.tsx';
import styles from './connection-workspace.module.css';
import { SidebarOver, SidebarScrim } from './sidebar-over.tsx';
import { closeSidebarOver, useSidebarPlace } from './sidebar-place.ts';
import { TabContents } from './tab-contents.tsx';
import { kindOf } from './tab-kinds.ts';
import { TabStrip } from './tab-strip.tsx';

/**
 * One connection of the window: its tabs, and its sidebar. The sidebar is at the left of the tabs, lies on them in a
 * narrow window, or is hidden.
 */
export function ConnectionWorkspace(props: { connection: Connection; isCurrent: boolean }) {
  const { connection, isCurrent } = props;
  const manifest = useManifest(connection.driver);
  const sidebar = usePanelRef();
  const sidebarWidth = startWidth(useWorkspace((state) => state.sidebarWidth));
  const place = useSidebarPlace();
  const isOver = isCurrent && place === 'over';
  useOpenOnce(connection.id);
  useEffect(() => (isCurrent ? closeSidebarOver : undefined), [isCurrent]);
  const status = useStatus(connection.id);
  const isLost = status.state === 'reconnecting';
  const isFailed = status.state === 'failed' && status.error !== undefined;
  return (
    <Main className={styles.workspace} hidden={!isCurrent}>
      {isLost && <ConnectionStrip name={connection.name} status={status} />}
      <ConnectionDown value={isLost ? 'lost' : isFailed ? 'failed' : null}>
        <CurrentConnection value={connection}>
          <Group
            orientation="horizontal"
            className={styles.group}
            inert={isOver}
            onLayoutChanged={(_layout, { isUserInteraction }) => {
              // A narrow window shrinks the sidebar too. Only the user's own choice is stored.
              if (!isUserInteraction) return;
              // After a key press, the panel gets its new size only in the next frame.
              requestAnimationFrame(() => {
                if (sidebar.current)
                  workspace.setSidebarWidth(Math.round(sidebar.current.getSize().inPixels));
              });
            }}
          >
            {place === 'beside' && (
              <>
                <Panel
                  id="sidebar"
                  defaultSize={sidebarWidth}
                  minSize={170}
                  maxSize="60%"
                  groupResizeBehavior="preserve-pixel-size"
                  panelRef={sidebar}
                >
                  <Sidebar connection={connection} manifest={manifest} />
                </Panel>
                <Separator className={styles.separator} aria-label="Width of the sidebar" />
              </>
            )}
            <Panel id="tabs" minSize={280}>
              <div className={styles.tabs}>
                <TabStrip connection={connection} />
                {/* Without a sidebar beside the tabs, the session note is above the tab. */}
                {place !== 'beside' && <SessionNote connection={connection} status={status} />}
                <div className={pane.pane}>
                  {manifest && (
                    <TabContents connection={connection} manifest={manifest} isCurrent={isCurrent} />
                  )}
                </div>
              </div>
            </Panel>
          </Group>
          {isOver && (
            <>
              <SidebarScrim />
              <SidebarOver connectionId={connection.id} width={sidebarWidth}>
                <Sidebar connection={connection} manifest={manifest} onHide={closeSidebarOver} />
              </SidebarOver>
            </>
          )}
          {isCurrent && <CloseTabQuestion />}
        </CurrentConnection>
      </ConnectionDown>
    </Main>
  );
}

/** Unless the user chose a width, the sidebar leaves more room to the rows of a small window. */
function startWidth(stored: number): number {
  const isSmall = window.innerWidth < 1100 && stored === emptyWorkspace.sidebarWidth;
  return isSmall ? 184 : stored;
}

/** Opens the session when the connection is first shown, but not again after a disconnect by the user. */
function useOpenOnce(connectionId: string): void {
  const statuses = useStatuses().data;
  const done = useRef(false);
  useEffect(() => {
    if (done.current || !statuses) return;
    done.current = true;
    const state = statuses.find((status) => status.connectionId === connectionId)?.state ?? 'disconnected';
    if (state === 'disconnected' || state === 'failed') connect(connectionId);
  }, [connectionId, statuses]);
}

function CloseTabQuestion() {
  const { closing } = useClosingTab();
  const answer = () => useClosingTab.setState({ closing: null });
  return (
    <AlertDialog
      open={closing !== null}
      title="Close this tab and discard its changes?"
      confirm="Discard and close"
      cancel="Keep the tab"
      danger
      onConfirm={() => {
        if (closing) {
          const { connectionId, tab } = closing;
          kindOf(tab).discard?.(connectionId, tab);
          workspace.discardTab(connectionId, tab.id);
        }
        answer();
      }}
      onCancel={answer}
    >
      {closing && kindOf(closing.tab).lossOf?.(closing.connectionId, closing.tab)}
    </AlertDialog>
  );
}
