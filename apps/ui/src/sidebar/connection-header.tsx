import { connectionAddress, type Manifest } from '@trestle/driver-kit';
import { Ellipsis, Pencil, PlugZap, RefreshCw, SquareTerminal, Undo2, Unplug, X } from 'lucide-react';
import { useState } from 'react';
import { api } from '../shared/api.ts';
import type { Connection, SessionStatus } from '../shared/api-types.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { Menu } from '../shared/menu.tsx';
import { queryClient } from '../shared/queries.ts';
import { StateDot, stateWords } from '../shared/state-dot.tsx';
import { showError } from '../shared/toast.tsx';
import { dialogs } from '../shell/open-dialog.ts';
import { closeConnection } from '../workspace/close-connection.ts';
import { workspace } from '../workspace/workspace-store.ts';
import { connect } from './connect.ts';
import { ResetSample } from './reset-sample.tsx';
import styles from './sidebar.module.css';

export function ConnectionHeader(props: {
  connection: Connection;
  manifest: Manifest | undefined;
  status: SessionStatus;
}) {
  const { connection, manifest, status } = props;
  const [resetting, setResetting] = useState(false);
  const isOpen = status.state === 'connected' || status.state === 'reconnecting';
  const server = status.server && `${status.server.product} ${status.server.version}`;
  const address = manifest ? connectionAddress(manifest, connection.fields) : connection.driver;
  return (
    <header className={styles.header}>
      <div className={styles.identity}>
        <h1>{connection.name}</h1>
        <p title={`${address}${server ? `\n${server}` : ''}`}>
          <StateDot status={status} />
          <span>{status.state === 'connected' ? (server ?? address) : stateWords[status.state]}</span>
        </p>
      </div>
      <Menu
        align="end"
        trigger={
          <IconButton label={`Menu of ${connection.name}`} size="small">
            <Ellipsis size={15} aria-hidden />
          </IconButton>
        }
        entries={[
          ...(manifest?.editor.language === 'none'
            ? []
            : [
                {
                  label: 'New query',
                  icon: <SquareTerminal size={13} />,
                  shortcut: 'Alt+N',
                  onSelect: () => workspace.openQuery(connection.id),
                },
              ]),
          {
            label: 'Refresh',
            icon: <RefreshCw size={13} />,
            disabled: status.state !== 'connected',
            onSelect: () => refresh(connection.id),
          },
          {
            label: 'Edit connection…',
            icon: <Pencil size={13} />,
            onSelect: () => dialogs.editConnection(connection),
          },
          ...(connection.sample
            ? [
                {
                  label: 'Put sample rows back…',
                  icon: <Undo2 size={13} />,
                  onSelect: () => setResetting(true),
                },
              ]
            : []),
          'separator',
          isOpen
            ? { label: 'Disconnect', icon: <Unplug size={13} />, onSelect: () => disconnect(connection.id) }
            : { label: 'Connect', icon: <PlugZap size={13} />, onSelect: () => connect(connection.id) },
          {
            label: 'Close connection',
            icon: <X size={13} />,
            onSelect: () => closeConnection(connection.id),
          },
        ]}
      />
      <ResetSample connection={connection} open={resetting} onDone={() => setResetting(false)} />
    </header>
  );
}

/** What was read stays in view; asking for more opens the session again. */
function disconnect(connectionId: string): void {
  api.sessions.close.mutate(connectionId).catch((error) => showError('The connection was not closed', error));
}

function refresh(connectionId: string): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) =>
      queryKey[1] === connectionId && (queryKey[0] === 'schema' || queryKey[0] === 'rows'),
  });
}
