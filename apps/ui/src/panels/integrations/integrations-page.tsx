import { useState } from 'react';
import { Tabs } from '../../controls/buttons/tabs.tsx';
import { ActivityPage } from './activity-page.tsx';
import { ClientList } from './client-list.tsx';
import { ConnectPage } from './connect-page.tsx';
import styles from './integrations.module.css';
import { ServerPage } from './server-page.tsx';
import { TokenList } from './token-list.tsx';

type Page = 'server' | 'connect' | 'authentication' | 'clients' | 'activity';

/** The MCP server: how clients connect, their permissions, and their calls. */
export function IntegrationsPage() {
  const [page, setPage] = useState<Page>('server');
  return (
    <section className={styles.integrations} aria-label="Integrations">
      <Tabs<Page>
        label="Integrations"
        value={page}
        onValueChange={setPage}
        pages={[
          { id: 'server', label: 'Server', content: <ServerPage /> },
          { id: 'connect', label: 'Connect a Client', content: <ConnectPage /> },
          { id: 'authentication', label: 'Authentication', content: <TokenList /> },
          { id: 'clients', label: 'Clients', content: <ClientList onConnect={() => setPage('connect')} /> },
          {
            id: 'activity',
            label: 'Activity',
            content: <ActivityPage onConnect={() => setPage('connect')} />,
          },
        ]}
      />
    </section>
  );
}
