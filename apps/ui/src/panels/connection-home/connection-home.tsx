import { connectionAddress, type Manifest } from '@trestle/driver-kit';
import { Plus, SquareTerminal } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { SearchField } from '../../controls/fields/search-field.tsx';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import type { Connection } from '../../data/api/api-types.ts';
import { useStatus, useTables } from '../../data/queries/queries.ts';
import { aiPolicies, explain, externalClientLevels } from '../connection-form/policies.ts';
import { openQuery } from '../query-editor/query-state.ts';
import { openDesign } from '../table-design/open-design.ts';
import styles from './connection-home.module.css';
import { TableCard } from './table-card.tsx';

/** With thousands of cards, the page would be slow. The filter finds the other tables. */
const mostCards = 300;

/** An overview of the database, with cards for its tables. */
export function ConnectionHome(props: {
  connection: Connection;
  manifest: Manifest;
  /** Whether no sidebar is visible beside the home. */
  isAlone: boolean;
}) {
  const { connection, manifest, isAlone } = props;
  const { server, capabilities } = useStatus(connection.id);
  const tables = useTables(connection.id).data;
  const [filter, setFilter] = useState('');
  const [singular, plural] = manifest.terms.table;
  const wanted = filter.trim().toLowerCase();
  const matching = tables?.filter(({ name }) => name.toLowerCase().includes(wanted)) ?? [];
  const shown = matching.slice(0, mostCards);
  const page = useRef<HTMLDivElement>(null);
  const hasCards = shown.length > 0;
  useEffect(() => {
    // A user who opened the connection by keyboard continues at the first table. A visible sidebar takes the focus
    // itself.
    if (!isAlone || !hasCards || document.activeElement !== document.body) return;
    page.current?.querySelector<HTMLElement>('li button')?.focus();
  }, [isAlone, hasCards]);
  return (
    <div ref={page} className={styles.page} data-home>
      <header className={styles.header}>
        <div>
          <h2>{connection.name}</h2>
          <p className={styles.address}>{connectionAddress(manifest, connection.fields)}</p>
        </div>
        {capabilities.includes('planDesign') && (
          <Button icon={<Plus size={14} aria-hidden />} onClick={() => openDesign(connection.id)}>
            New {singular}
          </Button>
        )}
        {manifest.editor.language !== 'none' && (
          <Button icon={<SquareTerminal size={14} aria-hidden />} onClick={() => openQuery(connection.id)}>
            New query
          </Button>
        )}
      </header>
      <dl className={styles.facts}>
        {server && (
          <div>
            <dt>Version</dt>
            <dd>
              {server.product} {server.version}
            </dd>
          </div>
        )}
        <div>
          <dt>AI clients</dt>
          <dd>
            {explain(externalClientLevels, connection.externalClients).label}
            {connection.externalClients !== 'blocked' &&
              `, ${explain(aiPolicies, connection.aiPolicy).label}`}
          </dd>
        </div>
      </dl>
      {tables && tables.length > 0 && (
        <section aria-labelledby={`cards-${connection.id}`}>
          <div className={styles.bar}>
            <h3 id={`cards-${connection.id}`}>
              {plural.replace(/^./, (letter) => letter.toUpperCase())} <small>{tables.length}</small>
            </h3>
            {tables.length > 6 && (
              <SearchField label={`Find a ${singular}`} value={filter} onValueChange={setFilter} />
            )}
          </div>
          <ul className={styles.cards}>
            {shown.map((table) => (
              <li key={table.name}>
                <TableCard connectionId={connection.id} manifest={manifest} table={table} />
              </li>
            ))}
          </ul>
          {matching.length > shown.length && (
            <p className={styles.more}>
              {matching.length - shown.length} more: narrow the list, or use the sidebar.
            </p>
          )}
          {matching.length === 0 && <EmptyState title={`No ${singular} matches “${filter.trim()}”`} />}
        </section>
      )}
    </div>
  );
}
