import { useQuery } from '@tanstack/react-query';
import { Button } from '../../controls/buttons/button.tsx';
import { Badge } from '../../controls/marks/badge.tsx';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import { counted } from '../../controls/text/counted.ts';
import { timeAgo } from '../../controls/text/time-ago.ts';
import { api } from '../../data/api/api.ts';
import type { ListedClient } from '../../data/api/api-types.ts';
import { StateDot } from '../../data/connections/state-dot.tsx';
import { tokenLabel } from '../../data/connections/token-label.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { useConnections } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { outcomeWords } from './activity-words.ts';
import { ApprovalList } from './approval-list.tsx';
import styles from './integrations.module.css';

/** `onConnect` opens the guides for setting up a client. */
export function ClientList({ onConnect }: { onConnect(): void }) {
  const clients = useQuery({
    queryKey: queryKeys.clients,
    queryFn: ({ signal }) => api.clients.list.query(undefined, { signal }),
    // Polls, because no event reports a call.
    refetchInterval: 2000,
    staleTime: 0,
  });
  if (clients.error) return <ErrorNote error={clients.error} />;
  if (!clients.data) return null;
  return (
    <div className={styles.page}>
      <p className={styles.help}>
        Clients that are connected, or have called since Trestle started. A client’s name is the one it gives
        itself.
      </p>
      {clients.data.length === 0 ? (
        <EmptyState
          title="No client has called since Trestle started"
          action={<Button onClick={onConnect}>Connect a client</Button>}
        />
      ) : (
        <ul className={styles.list} aria-label="Clients">
          {clients.data.map((client) => (
            <ClientRow key={JSON.stringify([client.tokenName, client.clientName])} client={client} />
          ))}
        </ul>
      )}
      <ApprovalList />
    </div>
  );
}

function ClientRow({ client }: { client: ListedClient }) {
  const connections = useConnections().data ?? [];
  const { clientName, tokenName, connected, active, protocolVersion, calls, refused, last } = client;
  const now = new Date();
  const where = connections.find(({ id }) => id === last?.connectionId)?.name;
  return (
    <li className={styles.token}>
      <StateDot status={{ state: connected > 0 ? 'connected' : 'disconnected' }} />
      <div>
        <p className={styles.name}>
          {clientName}
          {connected > 1 && <Badge>{connected} connected</Badge>}
        </p>
        <p className={styles.help}>
          {tokenLabel(tokenName)}
          {protocolVersion && ` · MCP ${protocolVersion}`}
        </p>
      </div>
      <div>
        <p>
          {counted(calls, 'call')}
          {active > 0 && ` · ${active.toLocaleString('en')} under way`}
          {refused > 0 && <span className={styles.over}> · {refused.toLocaleString('en')} denied</span>}
        </p>
        <p className={styles.help}>
          {last
            ? `Last: ${last.action}${where ? ` on ${where}` : ''}, ${outcomeWords[last.outcome]}, ${timeAgo(last.at, now)}`
            : `Connected, no call yet; seen ${timeAgo(client.lastSeenAt, now)}`}
        </p>
      </div>
    </li>
  );
}
