import { ListChecks, MessageCircleQuestionMark, Plug, Plus, SlidersHorizontal } from 'lucide-react';
import { connectionTint } from '../controls/connection-sign/connection-color.ts';
import { moveRovingFocus } from '../controls/keys/roving-focus.ts';
import { Mark } from '../controls/marks/mark.tsx';
import { Tooltip } from '../controls/popups/tooltip.tsx';
import { classNames } from '../controls/styles/class-names.ts';
import { counted } from '../controls/text/counted.ts';
import type { Connection } from '../data/api/api-types.ts';
import { closeConnection } from '../data/connections/close-connection.ts';
import { StateDot, stateWords } from '../data/connections/state-dot.tsx';
import { useJobs } from '../data/jobs/use-jobs.ts';
import { useConnections, useManifest, useStatus } from '../data/queries/queries.ts';
import { dialogs, useDialogs } from '../data/window/open-dialog.ts';
import { useWorkspace, workspace } from '../data/window/workspace-store.ts';
import { aside } from '../panels/approvals/aside-questions.ts';
import { usePendingApprovals } from '../panels/approvals/use-pending-approvals.ts';
import { DriverLogo } from '../panels/plugin-browser/driver-logo.tsx';
import styles from './rail.module.css';
import { RailButton } from './rail-button.tsx';

/** The main places of the window: the list of connections, each open connection, AI clients, Settings. */
export function Rail() {
  const { open, current } = useWorkspace();
  const settings = useDialogs((state) => state.settings);
  const connections = useConnections().data ?? [];
  const shown = open.flatMap((id) => connections.find((connection) => connection.id === id) ?? []);
  const waiting = usePendingApprovals().length;
  return (
    <nav
      className={styles.rail}
      aria-label="Places"
      onKeyDown={(event) => moveRovingFocus(event, 'vertical')}
    >
      <RailButton
        label="Connections"
        className={styles.home}
        isCurrent={current === null && settings === null}
        onClick={() => show(null)}
      >
        <Mark />
      </RailButton>
      <div className={styles.connections}>
        {shown.map((connection) => (
          <ConnectionTile
            key={connection.id}
            connection={connection}
            isCurrent={connection.id === current && settings === null}
          />
        ))}
        {/* The list of connections has its own button for a new connection. */}
        {current !== null && (
          <RailButton label="New connection" onClick={dialogs.newConnection}>
            <Plus size={16} aria-hidden />
          </RailButton>
        )}
      </div>
      {waiting > 0 && (
        <RailButton label={`Show ${counted(waiting, 'waiting question')}`} onClick={aside.showAll}>
          <MessageCircleQuestionMark size={16} aria-hidden />
          <span className={styles.count}>{waiting}</span>
        </RailButton>
      )}
      <JobsButton />
      <RailButton
        label="AI clients"
        isCurrent={settings === 'integrations'}
        onClick={() => dialogs.showSettings('integrations')}
      >
        <Plug size={16} aria-hidden />
      </RailButton>
      <RailButton
        label="Settings"
        shortcut="Mod+,"
        isCurrent={settings !== null && settings !== 'integrations'}
        onClick={() => dialogs.showSettings('general')}
      >
        <SlidersHorizontal size={16} aria-hidden />
      </RailButton>
    </nav>
  );
}

/** Counts what runs. A dot: a job has ended, and the user should look at its outcome. */
function JobsButton() {
  const jobs = useJobs().data ?? [];
  const running = jobs.filter(({ outcome }) => !outcome).length;
  const failed = jobs.filter(({ outcome }) => outcome?.how === 'failed' || outcome?.how === 'unknown').length;
  const words = [
    ...(running > 0 ? [`${running} running`] : []),
    ...(failed > 0 ? [`${failed} not done`] : []),
  ];
  return (
    <RailButton label={['Jobs', ...words].join(', ')} onClick={() => dialogs.showJobs(true)}>
      <ListChecks size={16} aria-hidden />
      {failed > 0 && <span className={styles.failed} />}
      {running > 0 && <span className={styles.count}>{running}</span>}
    </RailButton>
  );
}

function show(connectionId: string | null): void {
  dialogs.closeSettings();
  workspace.showConnection(connectionId);
}

function ConnectionTile({ connection, isCurrent }: { connection: Connection; isCurrent: boolean }) {
  const status = useStatus(connection.id);
  const manifest = useManifest(connection.driver);
  const close = () => closeConnection(connection.id);
  return (
    <Tooltip
      side="right"
      text={`${connection.name}${connection.word ? ` (${connection.word})` : ''}: ${stateWords[status.state].toLowerCase()}`}
    >
      <button
        type="button"
        data-roving
        aria-label={`Go to ${connection.name}${connection.word ? `, ${connection.word}` : ''}`}
        aria-current={isCurrent ? 'page' : undefined}
        className={classNames(styles.tile, styles.connection, isCurrent && styles.current)}
        style={connectionTint(connection.color)}
        onClick={() => show(connection.id)}
        onAuxClick={(event) => event.button === 1 && close()}
        onKeyDown={(event) => {
          if (event.key !== 'Delete') return;
          focusBefore(event.currentTarget);
          close();
        }}
      >
        <DriverLogo manifest={manifest} size={connection.word ? 15 : 17} />
        {connection.word && <span className={styles.word}>{connection.word.slice(0, 4)}</span>}
        {status.state !== 'connected' && (
          <span className={styles.state}>
            <StateDot status={status} />
          </span>
        )}
      </button>
    </Tooltip>
  );
}

/** Moves the focus from a tile that disappears to the tile before it. The first tile of the rail never disappears. */
function focusBefore(tile: HTMLElement): void {
  const tiles = [...(tile.closest('nav')?.querySelectorAll<HTMLElement>('[data-roving]') ?? [])];
  tiles[tiles.indexOf(tile) - 1]?.focus();
}
