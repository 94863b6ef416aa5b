import { Button } from '../../controls/buttons/button.tsx';
import { ApiError } from '../../data/api/api.ts';
import type { Connection, SessionStatus } from '../../data/api/api-types.ts';
import { connect } from '../../data/connections/connect.ts';
import { ConnectionDown } from '../../data/messages/connection-down.ts';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import { dialogs } from '../../data/window/open-dialog.ts';
import { InstallProgressBar } from '../plugin-browser/install-progress.tsx';
import { useInstalling } from '../plugin-browser/use-plugins.ts';
import styles from './sidebar.module.css';

/** Shows why the connection does not work, with two buttons. Or shows the driver's installation or a warning. */
export function SessionNote(props: { connection: Connection; status: SessionStatus }) {
  const { connection, status } = props;
  const install = useInstalling(status.installing ? connection.driver : undefined);
  if (install) {
    return (
      <Note level="info" className={styles.note}>
        <p>The driver is being installed.</p>
        <InstallProgressBar job={install} />
      </Note>
    );
  }
  if (status.state === 'connected') {
    return status.warning ? (
      <Note level="warning" className={styles.note}>
        {status.warning}
      </Note>
    ) : null;
  }
  // While the app reconnects, the strip above the tabs reports the lost connection.
  if (!status.error || status.state === 'connecting' || status.state === 'reconnecting') return null;
  return (
    // While the connection is down, `ErrorNote` hides errors of the connection. This error must be shown.
    <ConnectionDown value={null}>
      <ErrorNote error={new ApiError(status.error)} className={styles.note}>
        <Button size="small" onClick={() => connect(connection.id)}>
          Try again
        </Button>
        <Button size="small" onClick={() => dialogs.editConnection(connection)}>
          Edit
        </Button>
      </ErrorNote>
    </ConnectionDown>
  );
}
