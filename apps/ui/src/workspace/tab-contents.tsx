import type { Manifest } from '@trestle/driver-kit';
import { Suspense, useEffect, useState } from 'react';
import { Button } from '../controls/buttons/button.tsx';
import { keepFocus } from '../controls/keys/keep-focus.ts';
import { ErrorBoundary } from '../controls/loading/error-boundary.tsx';
import { loadPart } from '../controls/loading/load-part.ts';
import { EmptyState } from '../controls/marks/empty-state.tsx';
import type { Connection } from '../data/api/api-types.ts';
import { connect } from '../data/connections/connect.ts';
import { useSettings, useStatus } from '../data/queries/queries.ts';
import { passFocusOn } from '../data/window/tab-focus.ts';
import { type Tab, tabsOf } from '../data/window/workspace-state.ts';
import { useWorkspace, workspace } from '../data/window/workspace-store.ts';
import { ConnectionHome } from '../panels/connection-home/connection-home.tsx';
import { type PersistedTable, requestRow } from '../table-tab/index.ts';
import styles from './tab-contents.module.css';

// The grid and the editor load later, because they are the largest parts of the window. The list of connections and the
// home need neither.
const TableTab = loadPart(async () => ({ default: (await import('../table-tab/table-tab.tsx')).TableTab }));
const QueryTab = loadPart(() => import('../panels/query-editor/query-tab.tsx'));

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
          <TabContent {...props} tab={tab} isActive={props.isCurrent && tab.id === active} />
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

function TabContent(props: { connection: Connection; manifest: Manifest; tab: Tab; isActive: boolean }) {
  const { connection, manifest, tab, isActive } = props;
  const pageSize = useSettings().data?.pageSize ?? 200;
  const { capabilities, state } = useStatus(connection.id);
  if (tab.kind === 'query') {
    return (
      <Suspense>
        <QueryTab connection={connection} manifest={manifest} tab={tab} isActive={isActive} />
      </Suspense>
    );
  }
  return (
    <Suspense>
      <TableTab
        connectionId={connection.id}
        table={tab.table}
        safeMode={connection.safeMode}
        capabilities={state === 'connected' ? capabilities : undefined}
        pageSize={pageSize}
        active={isActive}
        persisted={(tab.view as PersistedTable | null) ?? undefined}
        onOpenRow={(table, key, partition) => {
          requestRow({
            connectionId: connection.id,
            table,
            key,
            ...(partition !== undefined && { partition }),
          });
          workspace.openTable(connection.id, table);
        }}
        onPersist={(view) => workspace.changeTab(connection.id, tab.id, { view })}
      />
    </Suspense>
  );
}

function NoTab(props: { connection: Connection; manifest: Manifest }) {
  const { state } = useStatus(props.connection.id);
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
  return <ConnectionHome {...props} />;
}
