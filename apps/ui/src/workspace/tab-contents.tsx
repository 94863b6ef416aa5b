import type { Manifest } from '@trestle/driver-kit';
import { Suspense, useEffect, useState } from 'react';
import { Button } from '../controls/buttons/button.tsx';
import { keepFocus } from '../controls/keys/keep-focus.ts';
import { ErrorBoundary } from '../controls/loading/error-boundary.tsx';
import { EmptyState } from '../controls/marks/empty-state.tsx';
import type { Connection } from '../data/api/api-types.ts';
import { connect } from '../data/connections/connect.ts';
import { useStatus } from '../data/queries/queries.ts';
import { passFocusOn } from '../data/window/tab-focus.ts';
import type { TabContentProps } from '../data/window/tab-kind.ts';
import { tabsOf } from '../data/window/workspace-state.ts';
import { useWorkspace } from '../data/window/workspace-store.ts';
import { ConnectionHome } from '../panels/connection-home/connection-home.tsx';
import { useSidebarPlace } from './sidebar-place.ts';
import styles from './tab-contents.module.css';
import { kindOf } from './tab-kinds.ts';

/** A tab stays mounted after the first visit, so that results, scroll and undo survive switching tabs. */
export function TabContents(props: { connection: Connection; manifest: Manifest; isCurrent: boolean }) {
  const { connection, manifest } = props;
  const { list, active } = useWorkspace((state) => tabsOf(state, connection.id));
  const [visited, setVisited] = useState<string[]>([]);
  useEffect(() => {
    if (active) setVisited((before) => (before.includes(active) ? before : [...before, active]));
  }, [active]);

  const tabs = list
    .filter(({ id }) => id === active || visited.includes(id))
    .map((tab) => (
      <div
        key={tab.mount ?? tab.id}
        ref={keepFocus}
        role="tabpanel"
        id={`panel-${tab.id}`}
        aria-labelledby={`tab-${tab.id}`}
        hidden={tab.id !== active}
        tabIndex={-1}
        onFocus={(event) => event.target === event.currentTarget && passFocusOn(event.currentTarget)}
        className={styles.panel}
      >
        <ErrorBoundary>
          <TabContent
            connection={connection}
            manifest={manifest}
            tab={tab}
            isActive={props.isCurrent && tab.id === active}
          />
        </ErrorBoundary>
      </div>
    ));
  return (
    <>
      {active === null && <NoTab connection={connection} manifest={manifest} />}
      {tabs}
    </>
  );
}

function TabContent(props: TabContentProps) {
  const { Content } = kindOf(props.tab);
  return (
    <Suspense>
      <Content {...props} />
    </Suspense>
  );
}

function NoTab(props: { connection: Connection; manifest: Manifest }) {
  const { state } = useStatus(props.connection.id);
  const sidebar = useSidebarPlace();
  if (state === 'failed') {
    return (
      <EmptyState title="No connection">
        A note in the sidebar or above says why, and what you can do.
      </EmptyState>
    );
  }
  if (state === 'disconnected') {
    const action = <Button onClick={() => connect(props.connection.id)}>Connect</Button>;
    return <EmptyState title="Not connected" action={action} />;
  }
  return <ConnectionHome {...props} isAlone={sidebar === 'hidden'} />;
}
