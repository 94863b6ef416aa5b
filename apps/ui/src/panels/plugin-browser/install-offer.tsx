import { sizeText } from '@trestle/driver-kit';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Facts } from '../../controls/marks/facts.tsx';
import type { ListedDriver } from '../../data/api/api-types.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { InstallProgressBar } from './install-progress.tsx';
import styles from './plugin-browser.module.css';
import { rightsOf } from './plugin-words.ts';
import { useInstall } from './use-install.ts';
import { useInstalledDrivers } from './use-plugins.ts';

/** Asks before it downloads the driver of a new connection. */
export function InstallOffer(props: { driver: ListedDriver; onInstalled(): void; onBack(): void }) {
  const { manifest, size, publisher } = props.driver;
  const install = useInstall(manifest.id);
  const isInstalled = useInstalledDrivers().data?.some((driver) => driver.manifest.id === manifest.id);
  const onInstalled = useEffectEvent(props.onInstalled);
  // This watches the installed drivers, not this offer's own request. Another window may have started the install, or
  // the user may have started it here, closed the offer and opened it again.
  useEffect(() => {
    if (isInstalled) onInstalled();
  }, [isInstalled]);
  const download = useRef<HTMLButtonElement>(null);
  useEffect(() => download.current?.focus(), []);
  return (
    <div className={styles.offer}>
      <p>
        The driver for {manifest.name} is not part of Trestle. Download it from the plugin registry? The form
        opens when the driver is installed.
      </p>
      <Facts>
        <dt>Driver</dt>
        <dd>{manifest.id}</dd>
        <dt>Version</dt>
        <dd>{manifest.version}</dd>
        <dt>Size</dt>
        <dd>{sizeText(size)}</dd>
        <dt>Publisher</dt>
        <dd title={`Key ${publisher.fingerprint}`}>{publisher.name}</dd>
        <dt>Rights</dt>
        <dd>
          {rightsOf(manifest).map((right) => (
            <div key={right}>{right}</div>
          ))}
        </dd>
      </Facts>
      {install.job && <InstallProgressBar job={install.job} />}
      {install.error && <ErrorNote error={install.error} />}
      <div className={styles.buttons}>
        {install.isRunning ? (
          <Button onClick={install.cancel}>Cancel download</Button>
        ) : (
          <Button onClick={props.onBack}>Back</Button>
        )}
        <Button
          ref={download}
          variant="primary"
          disabled={install.isRunning}
          focusableWhenDisabled
          onClick={install.start}
        >
          {install.error ? 'Try again' : 'Download'}
        </Button>
      </div>
    </div>
  );
}
