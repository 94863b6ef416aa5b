import { type Manifest, sizeText } from '@trestle/driver-kit';
import { type ReactNode, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Badge } from '../../controls/marks/badge.tsx';
import { api } from '../../data/api/api.ts';
import type { DriverDetails, ListedDriver } from '../../data/api/api-types.ts';
import { AlertDialog } from '../../data/messages/alert-dialog.tsx';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import { DriverLogo } from './driver-logo.tsx';
import { InstallProgressBar } from './install-progress.tsx';
import styles from './plugin-browser.module.css';
import { rightsOf, sourceText } from './plugin-words.ts';
import { useInstall } from './use-install.ts';

export function InstalledRow({
  driver,
  listed,
}: {
  driver: DriverDetails;
  listed: ListedDriver | undefined;
}) {
  const { manifest, bundled } = driver;
  const install = useInstall(manifest.id);
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const remove = async () => {
    setAsking(false);
    setProblem(null);
    await api.plugins.remove.mutate(manifest.id).catch(setProblem);
  };
  return (
    <PluginRow
      manifest={manifest}
      badge={bundled ? 'Bundled' : undefined}
      facts={`${manifest.id} ${manifest.version} · ${sourceText(driver)}`}
      rights={rightsOf(manifest)}
      actions={
        !bundled && (
          <>
            {listed?.isUpdate && !install.isRunning && (
              <Button variant="primary" onClick={install.start}>
                Update to {listed.manifest.version}
              </Button>
            )}
            {install.isRunning && <Button onClick={install.cancel}>Cancel</Button>}
            {!install.isRunning && <Button onClick={() => setAsking(true)}>Remove…</Button>}
          </>
        )
      }
    >
      {listed?.isUpdate && listed.changes && <p className={styles.changes}>{listed.changes}</p>}
      {install.job && <InstallProgressBar job={install.job} />}
      {install.error && <ErrorNote error={install.error} />}
      {problem !== null && <ErrorNote error={problem} />}
      <AlertDialog
        open={asking}
        danger
        title={`Remove the driver ${manifest.name}?`}
        confirm="Remove driver"
        onConfirm={remove}
        onCancel={() => setAsking(false)}
      >
        Its connections are kept. They open again once the driver is installed again.
      </AlertDialog>
    </PluginRow>
  );
}

export function BrowseRow({ driver }: { driver: ListedDriver }) {
  const { manifest, size, publisher, changes, unavailable } = driver;
  const install = useInstall(manifest.id);
  return (
    <PluginRow
      manifest={manifest}
      facts={`${manifest.id} ${manifest.version} · ${sizeText(size)} · ${publisher.name}`}
      rights={unavailable === null ? rightsOf(manifest) : undefined}
      actions={
        unavailable === null &&
        (install.isRunning ? (
          <Button onClick={install.cancel}>Cancel</Button>
        ) : (
          <Button onClick={install.start}>Install</Button>
        ))
      }
    >
      {changes && <p className={styles.changes}>{changes}</p>}
      {unavailable !== null && <Note level="info">{unavailable}</Note>}
      {install.job && <InstallProgressBar job={install.job} />}
      {install.error && <ErrorNote error={install.error} />}
    </PluginRow>
  );
}

function PluginRow(props: {
  manifest: Manifest;
  badge?: string | undefined;
  facts: string;
  /** Undefined if the driver cannot be installed. */
  rights?: string[] | undefined;
  actions: ReactNode;
  children: ReactNode;
}) {
  const { manifest } = props;
  return (
    <li className={styles.plugin}>
      <span className={styles.logo}>
        <DriverLogo manifest={manifest} size={24} />
      </span>
      <div className={styles.body}>
        <p className={styles.name}>
          {manifest.name}
          {props.badge && <Badge>{props.badge}</Badge>}
        </p>
        <p className={styles.summary}>{manifest.summary}</p>
        <p className={styles.facts}>{props.facts}</p>
        {props.rights && <p className={styles.facts}>{props.rights.join(' · ')}</p>}
        {props.children}
      </div>
      <div className={styles.actions}>{props.actions}</div>
    </li>
  );
}
