import { LayoutGrid, Search, Settings, X } from 'lucide-react';
import { useEffect } from 'react';
import { usePendingApprovals } from '../approvals/use-pending-approvals.ts';
import type { Connection } from '../shared/api-types.ts';
import { classNames } from '../shared/class-names.ts';
import { connectionColor } from '../shared/connection-color.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { shortcutText } from '../shared/kbd.tsx';
import { useConnections, useStatus } from '../shared/queries.ts';
import { moveRovingFocus } from '../shared/roving-focus.ts';
import { StateDot } from '../shared/state-dot.tsx';
import { closeConnection } from '../workspace/close-connection.ts';
import { useWorkspace, workspace } from '../workspace/workspace-store.ts';
import { dialogs } from './open-dialog.ts';
import styles from './title-bar.module.css';

export function TitleBar() {
  const { open, current } = useWorkspace();
  const connections = useConnections().data ?? [];
  const shown = open.flatMap((id) => connections.find((connection) => connection.id === id) ?? []);
  const name = shown.find(({ id }) => id === current)?.name;
  const waiting = usePendingApprovals().length;
  useEffect(() => {
    const title = name ? `${name} – Trestle` : 'Trestle';
    // A window behind others shows no dialog, but its title in the taskbar.
    document.title = waiting > 0 ? `(${waiting}) Question – ${title}` : title;
  }, [name, waiting]);
  return (
    <header className={styles.bar}>
      <nav
        className={styles.places}
        aria-label="Open connections"
        onKeyDown={(event) => moveRovingFocus(event, 'horizontal')}
      >
        <button
          type="button"
          data-roving
          className={classNames(styles.place, current === null && styles.current)}
          aria-current={current === null ? 'page' : undefined}
          onClick={() => workspace.showConnection(null)}
        >
          <LayoutGrid size={14} aria-hidden />
          <span className={styles.name} data-bold="Connections">
            Connections
          </span>
        </button>
        {shown.map((connection) => (
          <Place key={connection.id} connection={connection} isCurrent={connection.id === current} />
        ))}
      </nav>
      <button
        type="button"
        className={styles.search}
        aria-keyshortcuts="Control+P Meta+P"
        onClick={() => dialogs.showPalette(true)}
      >
        <Search size={13} aria-hidden />
        <span>Open anything</span>
        <kbd>{shortcutText('Mod+P')}</kbd>
      </button>
      <IconButton label="Settings" shortcut="Mod+," onClick={() => dialogs.showSettings('general')}>
        <Settings size={15} aria-hidden />
      </IconButton>
    </header>
  );
}

function Place({ connection, isCurrent }: { connection: Connection; isCurrent: boolean }) {
  const status = useStatus(connection.id);
  const close = () => closeConnection(connection.id);
  return (
    <div
      className={classNames(styles.chip, isCurrent && styles.current)}
      style={{ '--connection': connectionColor(connection.color) }}
    >
      <button
        type="button"
        data-roving
        className={styles.place}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={() => workspace.showConnection(connection.id)}
        onAuxClick={(event) => event.button === 1 && close()}
        onKeyDown={(event) => event.key === 'Delete' && close()}
      >
        <StateDot status={status} />
        <span className={styles.name} data-bold={connection.name}>
          {connection.name}
        </span>
      </button>
      <button
        type="button"
        tabIndex={-1}
        className={styles.close}
        aria-label={`Close ${connection.name}`}
        onClick={close}
      >
        <X size={12} aria-hidden />
      </button>
    </div>
  );
}
