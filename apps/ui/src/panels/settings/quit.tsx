import { Button } from '../../controls/buttons/button.tsx';
import { dialogs } from '../../data/window/open-dialog.ts';
import styles from './settings.module.css';

export function Quit() {
  return (
    <div className={styles.windows}>
      <p>If the MCP server is on, Trestle keeps running for AI clients after you close its window.</p>
      <Button onClick={() => dialogs.askToQuit(true)}>Quit Trestle…</Button>
    </div>
  );
}
