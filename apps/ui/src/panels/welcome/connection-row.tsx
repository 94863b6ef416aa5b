import { connectionAddress } from '@trestle/driver-kit';
import { Copy, Ellipsis, Pencil, Trash2, Unplug } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { connectionTint } from '../../controls/connection-sign/connection-color.ts';
import { ConnectionWord } from '../../controls/connection-sign/connection-word.tsx';
import { isDialogOpen } from '../../controls/dialogs/is-dialog-open.ts';
import { isTyping } from '../../controls/keys/is-typing.ts';
import { Badge } from '../../controls/marks/badge.tsx';
import { Menu } from '../../controls/menus/menu.tsx';
import type { Connection } from '../../data/api/api-types.ts';
import { disconnect } from '../../data/connections/connect.ts';
import { StateDot, stateWords } from '../../data/connections/state-dot.tsx';
import { useDrivers, useStatus } from '../../data/queries/queries.ts';
import { dialogs } from '../../data/window/open-dialog.ts';
import { workspace } from '../../data/window/workspace-store.ts';
import { DeleteConnection } from '../connection-form/delete-connection.tsx';
import { DriverLogo } from '../plugin-browser/driver-logo.tsx';
import styles from './welcome.module.css';

export function ConnectionRow(props: { connection: Connection; takesFocus: boolean }) {
  const { connection } = props;
  const drivers = useDrivers().data;
  const manifest = drivers?.find(({ id }) => id === connection.driver);
  const status = useStatus(connection.id);
  const [deleting, setDeleting] = useState(false);
  const open = useRef<HTMLButtonElement>(null);
  // The first row takes the focus, so that Enter opens its connection. But a list that arrives or grows later must not
  // take the focus from a field or a dialog.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs once
  useEffect(() => {
    if (props.takesFocus && !isTyping() && !isDialogOpen()) open.current?.focus();
  }, []);
  return (
    <li className={styles.row} style={connectionTint(connection.color)}>
      <button
        type="button"
        ref={open}
        data-roving
        className={styles.open}
        onClick={() => workspace.showConnection(connection.id)}
      >
        <span className={styles.logo}>
          <DriverLogo manifest={manifest} size={16} />
        </span>
        <span className={styles.text}>
          <span className={styles.name}>
            {connection.name}
            <ConnectionWord connection={connection} />
            {connection.sample && <Badge>Sample</Badge>}
          </span>
          <span className={styles.address}>
            {manifest
              ? connectionAddress(manifest, connection.fields)
              : drivers && 'Its driver is not installed'}
          </span>
        </span>
        <span className={styles.state}>
          {status.state === 'disconnected' ? (
            (manifest?.name ?? (drivers && connection.driver))
          ) : (
            <>
              <StateDot status={status} />
              <span>{stateWords[status.state]}</span>
            </>
          )}
        </span>
      </button>
      <Menu
        align="end"
        trigger={
          <IconButton label={`More for ${connection.name}`} className={styles.more}>
            <Ellipsis size={15} aria-hidden />
          </IconButton>
        }
        entries={[
          { label: 'Edit', icon: <Pencil size={13} />, onSelect: () => dialogs.editConnection(connection) },
          {
            label: 'Duplicate',
            icon: <Copy size={13} />,
            onSelect: () => dialogs.duplicateConnection(connection),
          },
          {
            label: 'Disconnect',
            icon: <Unplug size={13} />,
            disabled: status.state === 'disconnected',
            onSelect: () => disconnect(connection.id),
          },
          'separator',
          { label: 'Delete…', icon: <Trash2 size={13} />, danger: true, onSelect: () => setDeleting(true) },
        ]}
      />
      <DeleteConnection connection={deleting ? connection : null} onDone={() => setDeleting(false)} />
    </li>
  );
}
