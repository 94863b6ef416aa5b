import { connectionAddress, type Manifest } from '@trestle/driver-kit';
import {
  Ellipsis,
  PanelLeftClose,
  Pencil,
  PlugZap,
  Plus,
  RefreshCw,
  SquareTerminal,
  Undo2,
  Unplug,
  X,
} from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { ConnectionWord } from '../../controls/connection-sign/connection-word.tsx';
import { Menu } from '../../controls/menus/menu.tsx';
import { api } from '../../data/api/api.ts';
import type { Connection, SessionStatus } from '../../data/api/api-types.ts';
import { closeConnection } from '../../data/connections/close-connection.ts';
import { connect, disconnect } from '../../data/connections/connect.ts';
import { StateDot, stateWords } from '../../data/connections/state-dot.tsx';
import { AlertDialog } from '../../data/messages/alert-dialog.tsx';
import { showToast } from '../../data/messages/toast.tsx';
import { readSchemaAgain } from '../../data/queries/read-schema-again.ts';
import { dialogs } from '../../data/window/open-dialog.ts';
import { openQuery } from '../query-editor/query-state.ts';
import { openDesign } from '../table-design/open-design.ts';
import styles from './sidebar.module.css';

export function ConnectionHeader(props: {
  connection: Connection;
  manifest: Manifest | undefined;
  status: SessionStatus;
  onHide: (() => void) | undefined;
}) {
  const { connection, manifest, status } = props;
  const [resetting, setResetting] = useState(false);
  const isOpen = status.state === 'connected' || status.state === 'reconnecting';
  const server = status.server && `${status.server.product} ${status.server.version}`;
  const address = manifest ? connectionAddress(manifest, connection.fields) : connection.driver;
  return (
    <header className={styles.header}>
      <div className={styles.identity}>
        <h1>
          <span>{connection.name}</span>
          <ConnectionWord connection={connection} onWash />
        </h1>
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
          ...(status.capabilities.includes('planDesign')
            ? [
                {
                  label: `New ${manifest?.terms.table[0] ?? 'table'}`,
                  icon: <Plus size={13} />,
                  onSelect: () => openDesign(connection.id),
                },
              ]
            : []),
          ...(manifest?.editor.language === 'none'
            ? []
            : [
                {
                  label: 'New query',
                  icon: <SquareTerminal size={13} />,
                  shortcut: 'Alt+N',
                  onSelect: () => openQuery(connection.id),
                },
              ]),
          {
            label: 'Refresh',
            icon: <RefreshCw size={13} />,
            disabled: status.state !== 'connected',
            onSelect: () => readSchemaAgain(connection.id),
          },
          {
            label: 'Edit connection…',
            icon: <Pencil size={13} />,
            onSelect: () => dialogs.editConnection(connection),
          },
          ...(connection.sample
            ? [
                {
                  label: 'Restore sample rows…',
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
      {props.onHide && (
        <IconButton label="Hide sidebar" shortcut="Mod+B" size="small" onClick={props.onHide}>
          <PanelLeftClose size={15} aria-hidden />
        </IconButton>
      )}
      <ResetSample connection={connection} open={resetting} onDone={() => setResetting(false)} />
    </header>
  );
}

/** Asks the user, then restores the original rows of a sample. */
function ResetSample(props: { connection: Connection; open: boolean; onDone(): void }) {
  const { connection } = props;
  const reset = async () => {
    await api.samples.reset.mutate({ connectionId: connection.id });
    showToast({ title: `“${connection.name}” has its original rows again` });
    props.onDone();
  };
  return (
    <AlertDialog
      open={props.open}
      title="Restore the sample’s rows?"
      confirm="Restore rows"
      danger
      onConfirm={reset}
      onCancel={props.onDone}
    >
      “{connection.name}” gets its original rows back. Every change to the sample is lost.
    </AlertDialog>
  );
}
