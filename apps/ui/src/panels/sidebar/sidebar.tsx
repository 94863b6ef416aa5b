import type { Manifest } from '@trestle/driver-kit';
import { useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { SearchField } from '../../controls/fields/search-field.tsx';
import { keepFocus } from '../../controls/keys/keep-focus.ts';
import panel from '../../controls/layout/side-panel.module.css';
import { Spinner } from '../../controls/loading/spinner.tsx';
import { useDelayed } from '../../controls/loading/use-delayed.ts';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import type { Connection } from '../../data/api/api-types.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { useStatus, useTables } from '../../data/queries/queries.ts';
import { useSavedQueries } from '../query-editor/saved-queries.ts';
import { openDesign } from '../table-design/open-design.ts';
import { ConnectionHeader } from './connection-header.tsx';
import { SavedQueryList } from './saved-query-list.tsx';
import { SessionNote } from './session-note.tsx';
import styles from './sidebar.module.css';
import { TableList } from './table-list.tsx';

export function Sidebar(props: {
  connection: Connection;
  manifest: Manifest | undefined;
  /** Hides a sidebar that lies on the tabs. Undefined for a sidebar beside them. */
  onHide?(): void;
}) {
  const { connection, manifest } = props;
  const status = useStatus(connection.id);
  const tables = useTables(connection.id);
  const [filter, setFilter] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const waiting = useDelayed(tables.isFetching || status.state === 'connecting');
  const [singular, plural] = manifest?.terms.table ?? ['table', 'tables'];
  const wanted = filter.trim().toLowerCase();
  const saved = useSavedQueries(connection.id);
  const hasEditor = manifest?.editor.language !== 'none';
  const savedShown = hasEditor
    ? saved.filter(({ name, text }) => `${name}\n${text}`.toLowerCase().includes(wanted))
    : [];
  const shown = tables.data?.filter(({ name }) => name.toLowerCase().includes(wanted));

  return (
    <aside ref={keepFocus} tabIndex={-1} className={panel.panel} aria-label={`${connection.name}: ${plural}`}>
      <ConnectionHeader {...{ connection, manifest, status }} onHide={props.onHide} />
      <SessionNote connection={connection} status={status} />
      {((tables.data && tables.data.length > 0) || saved.length > 0) && (
        <div className={panel.box}>
          <SearchField
            label={`Filter ${plural}`}
            value={filter}
            onValueChange={setFilter}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
              event.preventDefault();
              const first = list.current?.querySelector<HTMLElement>('[data-roving]');
              if (event.key === 'Enter') first?.click();
              else first?.focus();
            }}
          />
        </div>
      )}
      {waiting && !tables.data && (
        <p className={styles.waiting}>
          <Spinner label="Reading" /> {status.state === 'connecting' ? 'Connecting…' : `Reading ${plural}…`}
        </p>
      )}
      {tables.error && (
        <ErrorNote error={tables.error} className={styles.note}>
          <Button size="small" onClick={() => tables.refetch()}>
            Try again
          </Button>
        </ErrorNote>
      )}
      {shown && shown.length > 0 && (
        <TableList ref={list} connection={connection} manifest={manifest} tables={shown} />
      )}
      {shown?.length === 0 && wanted !== '' && savedShown.length === 0 && (
        <EmptyState
          title={`No ${singular} matches “${filter.trim()}”`}
          action={
            <Button size="small" onClick={() => setFilter('')}>
              Clear filter
            </Button>
          }
        />
      )}
      {shown?.length === 0 && wanted === '' && (
        <EmptyState
          title={`No ${plural} yet`}
          action={
            <>
              {status.capabilities.includes('planDesign') && connection.safeMode !== 'readOnly' && (
                <Button size="small" onClick={() => openDesign(connection.id)}>
                  New {singular}
                </Button>
              )}
              <Button size="small" onClick={() => tables.refetch()}>
                Refresh
              </Button>
            </>
          }
        >
          {connection.safeMode !== 'readOnly' &&
            `${hasEditor ? 'Create one with a query, or copy' : 'Copy'} one here from another connection of this kind.`}
        </EmptyState>
      )}
      {savedShown.length > 0 && <SavedQueryList connectionId={connection.id} queries={savedShown} />}
    </aside>
  );
}
