import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Tabs } from '../../controls/buttons/tabs.tsx';
import { api } from '../../data/api/api.ts';
import { StateDot } from '../../data/connections/state-dot.tsx';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { ArrivalLine } from './arrival-line.tsx';
import styles from './connect.module.css';
import { GuideSteps } from './guide-steps.tsx';
import { HttpGuide } from './http-guide.tsx';
import shared from './integrations.module.css';
import { useAppInfo } from './server-page.tsx';
import { ServerProblem } from './server-problem.tsx';
import { WriteForMe } from './write-for-me.tsx';

/** How to set up a client, with this install's bridge or over HTTP. */
export function ConnectPage() {
  const mcp = useAppInfo().data?.mcp;
  const guides = useQuery({
    // The HTTP snippet contains the port, so the guides are read again when the state of the server changes.
    queryKey: [...queryKeys.connectGuides, mcp],
    queryFn: ({ signal }) => api.clientSetup.clients.query(undefined, { signal }),
    placeholderData: (before) => before,
  });
  const { data: calls, error: callsError } = useQuery({
    queryKey: [...queryKeys.connectGuides, 'calls'],
    queryFn: ({ signal }) => api.clientSetup.lastCalls.query(undefined, { signal }),
    // Polls, because no event reports a call.
    refetchInterval: 1500,
    staleTime: 0,
  });
  const [chosen, setChosen] = useState<string | null>(null);
  if (guides.error) return <ErrorNote error={guides.error} />;
  if (!guides.data) return null;
  const isOn = mcp?.state === 'running';
  const label = (id: string, name: string) => (
    <span className={styles.client}>
      <span className={styles.state} aria-hidden>
        <StateDot status={{ state: isOn && calls?.clients[id] ? 'connected' : 'disconnected' }} />
      </span>
      <span data-bold={name}>{name}</span>
    </span>
  );
  const pages = guides.data.guides.map((guide) => ({
    id: guide.id,
    label: label(guide.id, guide.label),
    content: (
      <article className={styles.guide}>
        <h2>{guide.label}</h2>
        <ArrivalLine name={guide.label} isOn={isOn} call={calls?.clients[guide.id]} other={calls?.bridge} />
        {guide.configFile !== null && (
          <>
            <WriteForMe guide={guide} />
            <h3>By hand</h3>
          </>
        )}
        <GuideSteps {...guide} />
      </article>
    ),
  }));
  const http = {
    id: 'http',
    label: label('http', 'Over HTTP'),
    content: <HttpGuide guide={guides.data.http} call={calls?.clients.http} />,
  };
  return (
    <div className={shared.filling}>
      {mcp?.state === 'disabled' && (
        <Note level="warning">
          The MCP server is off, so clients cannot connect. Turn it on under Server.
        </Note>
      )}
      {mcp && <ServerProblem mcp={mcp} />}
      {callsError && <ErrorNote error={callsError} />}
      <div className={styles.clients}>
        <Tabs
          label="Client"
          orientation="vertical"
          value={chosen ?? pages[0]?.id ?? 'http'}
          onValueChange={setChosen}
          pages={[...pages, http]}
        />
      </div>
    </div>
  );
}
