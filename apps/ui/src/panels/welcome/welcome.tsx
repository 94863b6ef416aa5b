import { Ellipsis, FileDown, FileUp, Plug, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { SearchField } from '../../controls/fields/search-field.tsx';
import { moveRovingFocus } from '../../controls/keys/roving-focus.ts';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import { Mark } from '../../controls/marks/mark.tsx';
import { Menu } from '../../controls/menus/menu.tsx';
import { Main } from '../../controls/popups/popup-place.tsx';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { useConnections } from '../../data/queries/queries.ts';
import { OpenAnything } from '../../data/window/open-anything.tsx';
import { dialogs } from '../../data/window/open-dialog.ts';
import { exportConnections } from '../connection-file/export-connections.ts';
import { BridgeDrawing } from './bridge-drawing.tsx';
import { ConnectionRow } from './connection-row.tsx';
import { TrySearches } from './try-search.tsx';
import styles from './welcome.module.css';

/** The first screen: a description of Trestle, searches to try, the connections, and the setup of AI clients. */
export function Welcome() {
  return (
    <Main className={styles.page}>
      <BridgeDrawing />
      <div className={styles.corner}>
        <OpenAnything />
      </div>
      <div className={styles.column}>
        <header className={styles.hero}>
          <Mark size={48} />
          <h1>See what your vectors find.</h1>
          <p>
            Trestle shows a vector database as tables you can search and edit, and lets your AI client work on
            the same connections.
          </p>
        </header>
        <TrySearches />
        <div className={styles.two}>
          <ConnectionList />
          <AiClients />
        </div>
      </div>
    </Main>
  );
}

function ConnectionList() {
  const connections = useConnections();
  const [filter, setFilter] = useState('');
  const all = connections.data ?? [];
  const shown = all.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()));
  const add = (
    <Button
      variant="primary"
      size="small"
      icon={<Plus size={14} aria-hidden />}
      onClick={dialogs.newConnection}
    >
      New connection
    </Button>
  );
  return (
    <section aria-labelledby="connections">
      <header className={styles.header}>
        <h2 id="connections">Connections</h2>
        {hasFilterField(all.length, filter) && (
          <div className={styles.search}>
            <SearchField label="Find a connection" value={filter} onValueChange={setFilter} />
          </div>
        )}
        {all.length > 0 && add}
        <Menu
          align="end"
          trigger={
            <IconButton label="More for connections" size="small">
              <Ellipsis size={15} aria-hidden />
            </IconButton>
          }
          entries={[
            {
              label: 'Import connections…',
              icon: <FileUp size={13} />,
              onSelect: () => dialogs.importConnections(true),
            },
            {
              label: 'Export connections',
              icon: <FileDown size={13} />,
              onSelect: () => void exportConnections(),
            },
          ]}
        />
      </header>
      {connections.error && <ErrorNote error={connections.error} />}
      {connections.data && all.length === 0 && (
        <EmptyState title="No connections yet" action={add}>
          A connection says where a database is and how to sign in to it.
        </EmptyState>
      )}
      {all.length > 0 && shown.length === 0 && (
        <EmptyState
          title={`No connection is called “${filter.trim()}”`}
          action={<Button onClick={() => setFilter('')}>Show all</Button>}
        />
      )}
      {shown.length > 0 && (
        <ul className={styles.list} onKeyDown={(event) => moveRovingFocus(event, 'vertical')}>
          {shown.map((connection, index) => (
            <ConnectionRow key={connection.id} connection={connection} takesFocus={index === 0} />
          ))}
        </ul>
      )}
    </section>
  );
}

/**
 * A field with text stays even if few connections are left. Without the field, its text would still hide connections,
 * and the user could not see why.
 */
export function hasFilterField(connections: number, filter: string): boolean {
  return connections > 4 || filter !== '';
}

function AiClients() {
  return (
    <section aria-labelledby="ai-clients">
      <header className={styles.header}>
        <h2 id="ai-clients">AI clients</h2>
      </header>
      <div className={styles.clients}>
        <p className={styles.clientsTitle}>
          <span className={styles.plug}>
            <Plug size={16} aria-hidden />
          </span>
          Connect an AI client
        </p>
        <p>
          Your assistant can then list, search and, if you allow it, change these databases. To drop a table,
          or to change or delete many rows at once, it needs your approval.
        </p>
        <Button size="small" onClick={() => dialogs.showSettings('integrations')}>
          Choose a client
        </Button>
      </div>
    </section>
  );
}
