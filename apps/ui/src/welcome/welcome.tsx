import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../shared/button.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { ErrorNote } from '../shared/error-note.tsx';
import { Main } from '../shared/popup-place.tsx';
import { useConnections } from '../shared/queries.ts';
import { moveRovingFocus } from '../shared/roving-focus.ts';
import { SearchField } from '../shared/search-field.tsx';
import { dialogs } from '../shell/open-dialog.ts';
import { ConnectionRow } from './connection-row.tsx';
import styles from './welcome.module.css';

export function Welcome() {
  const connections = useConnections();
  const [filter, setFilter] = useState('');
  const all = connections.data ?? [];
  const shown = all.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()));
  const add = (
    <Button variant="primary" icon={<Plus size={14} aria-hidden />} onClick={dialogs.newConnection}>
      New connection
    </Button>
  );
  return (
    <Main className={styles.page}>
      <div className={styles.column}>
        <header className={styles.header}>
          <h1>Connections</h1>
          {all.length > 6 && (
            <div className={styles.search}>
              <SearchField label="Find a connection" value={filter} onValueChange={setFilter} />
            </div>
          )}
          {all.length > 0 && add}
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
      </div>
    </Main>
  );
}
